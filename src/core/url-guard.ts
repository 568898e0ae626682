// Prevents URLs that a service returned from leading into our own network.
import { lookup as systemLookup } from "node:dns/promises";
import { type LookupFunction, isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The URL, or the address behind it, must not be fetched. The message contains neither. */
export class RefusedUrlError extends Error {
  override readonly name = "RefusedUrlError";
}

export type ResolveAddresses = (hostname: string) => Promise<readonly string[]>;

/**
 * Returns how a URL that a service returned may be fetched. `own`: it is on the service's own origin, and is fetched
 * like the service's other URLs. `public`: it is https elsewhere, and may be fetched only through {@link
 * createPublicLookup}. Throws {@link RefusedUrlError} for other URLs.
 */
export function checkReturnedUrl(url: URL, ownOrigin: string): "own" | "public" {
  if (url.username !== "" || url.password !== "") {
    throw new RefusedUrlError("the service returned a URL with credentials in it");
  }
  if (url.origin === ownOrigin) {
    return "own";
  }
  if (url.protocol !== "https:") {
    throw new RefusedUrlError("the service returned a URL that is not https");
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  // A host that is an IP address is connected to without a lookup, so it is checked here.
  if (isIP(host) !== 0 && !isPublicAddress(host)) {
    throw new RefusedUrlError(NOT_PUBLIC);
  }
  return "public";
}

/**
 * A `lookup` for `net.connect` that returns only public addresses. The connection uses the addresses that were checked,
 * so a name that resolves differently the second time gains nothing. A name with both public and private addresses is
 * refused.
 */
export function createPublicLookup(resolve: ResolveAddresses = resolveAddresses): LookupFunction {
  return (hostname, { all }, callback) => {
    void answer();

    async function answer(): Promise<void> {
      let found: [FoundAddress, ...FoundAddress[]];
      try {
        found = await findPublicAddresses(resolve, hostname);
      } catch (error) {
        callback(error instanceof Error ? error : new Error("the look-up failed"), "");
        return;
      }
      if (all) {
        callback(null, found);
      } else {
        callback(null, found[0].address, found[0].family);
      }
    }
  };
}

/** Whether an address, IPv4 or IPv6, belongs to a single machine on the public internet. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) {
    return false;
  }
  const parsed = ipaddr.parse(address);
  // In IPv6, only 2000::/3 is allocated (RFC 4291); the rest includes e.g. ::127.0.0.1, this machine.
  return parsed.range() === "unicast" && (parsed.kind() === "ipv4" || parsed.match(GLOBAL_UNICAST));
}

const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");
const NOT_PUBLIC = "the service returned a URL whose address is not public";

interface FoundAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

async function findPublicAddresses(
  resolve: ResolveAddresses,
  hostname: string,
): Promise<[FoundAddress, ...FoundAddress[]]> {
  const addresses = await resolve(hostname);
  const [first, ...rest] = addresses.map(
    (address) => ({ address, family: isIP(address) === 6 ? 6 : 4 }) as const,
  );
  if (!first || !addresses.every(isPublicAddress)) {
    throw new RefusedUrlError(NOT_PUBLIC);
  }
  return [first, ...rest];
}

async function resolveAddresses(hostname: string): Promise<readonly string[]> {
  const found = await systemLookup(hostname, { all: true });
  return found.map(({ address }) => address);
}

/** Whether the service's own word says that a train does not run, or does not call there. */
export function isCancelled({ status = "" }: { readonly status?: string | undefined }): boolean {
  return /^CANCELL?ED\b/.test(status);
}

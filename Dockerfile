# The image contains only the bot: its sources and commands, the code compiled from them for a quick start, and its
# production dependencies.
FROM node:26.10.0-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY ops/trim-packages.js ops/list-licences.js ops/
RUN npm ci --omit=dev --ignore-scripts && node ops/list-licences.js > LICENCES.txt && node ops/trim-packages.js --types

# Makes the bundle and the compiled code (src/core/compiled-code.js), with the flags of the last line and as the user that
# runs the bot. The tools for this are not part of the image.
FROM node:26.10.0-slim AS compiled
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts && mkdir node_modules/.cache && chown node:node node_modules/.cache
COPY src src
COPY commands commands
USER node
RUN ["node", "--max-semi-space-size=8", "--min-semi-space-size=8", "--v8-pool-size=1", "--expose-gc", "src/compile.js"]
RUN chmod -R a+rX node_modules/.cache

FROM node:26.10.0-slim
LABEL org.opencontainers.image.title="Signalbox" \
  org.opencontainers.image.description="A self-hosted Discord bot: UK departure boards, restyled pictures, published videos" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.base.name="docker.io/library/node:26.10.0-slim"
ENV NODE_ENV=production HTTP_PORT=8080 HTTP_HOST=0.0.0.0
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
# The licences of everything in node_modules.
COPY --from=packages /app/LICENCES.txt ./
COPY package.json LICENSE ./
COPY src src
COPY commands commands
# All of this belongs to root: nothing that runs in the container can change what the bot executes.
COPY --from=compiled --chown=root:root /app/node_modules/.cache node_modules/.cache
RUN mkdir data && chown node:node data
VOLUME /app/data
USER node
EXPOSE 8080
# An empty HTTP_PORT turns off /health, and this check with it. Docker's --env-file passes quotes on as part of a value.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "const port = process.env.HTTP_PORT?.replace(/\\D/g, \"\"); if (port) fetch(`http://127.0.0.1:${port}/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "--min-semi-space-size=8", "--v8-pool-size=1", "--expose-gc", "src/main.js"]

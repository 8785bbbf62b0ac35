# syntax=docker/dockerfile:1
# The same steps are run without Docker by test/packaging.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
COPY packages/contract/package.json packages/contract/
COPY packages/sandbox/package.json packages/sandbox/
COPY packages/gateway/package.json packages/gateway/
COPY packages/gateway/bin packages/gateway/bin
COPY packages/passkey-extension/package.json packages/passkey-extension/
COPY packages/portal/package.json packages/portal/
COPY packages/sdk/package.json packages/sdk/
COPY packages/signal/package.json packages/signal/
COPY tools/node-runtime tools/node-runtime
# What the bundle is made of and by; the tools of tests are two thirds of all packages.
RUN npm ci --no-audit --no-fund --workspace @parley/gateway --workspace @parley/portal
COPY packages packages
COPY tools/build tools/build
COPY tools/packaging tools/packaging
COPY docs docs
RUN node tools/packaging/gateway.ts

# What is published as parley-gateway, unpacked: a bundle that needs no package beside it.
FROM node:24.21.0-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production
ENV PARLEY_HOST=0.0.0.0
ENV PARLEY_PORT=8080
ENV PARLEY_DATA_DIR=/data
COPY --from=build /app/dist/packages/gateway ./
RUN mkdir -p "$PARLEY_DATA_DIR" && chown node:node "$PARLEY_DATA_DIR"
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PARLEY_PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "packages/gateway/bin/parley.cjs"]
CMD ["start"]

# The same steps are run without Docker by test/packaging.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json tsconfig.json NOTICE ./
COPY packages/codecs/package.json packages/codecs/
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
LABEL org.opencontainers.image.title="Parley"
LABEL org.opencontainers.image.description="A self-hosted, multi-tenant WhatsApp gateway: one clean HTTP API, signed webhooks, nothing lost."
LABEL org.opencontainers.image.licenses="GPL-3.0-or-later"
WORKDIR /app
ENV NODE_ENV=production
ENV PARLEY_HOST=0.0.0.0
ENV PARLEY_PORT=8080
ENV PARLEY_DATA_DIR=/data
COPY --from=build /app/dist/packages/gateway ./
# The data, and a place for files that several gateways share; both for this user alone.
RUN install -d -m 0700 -o node -g node /data /media && ln -s /app/packages/gateway/bin/parley.cjs /usr/local/bin/parley
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PARLEY_PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "packages/gateway/bin/parley.cjs"]
CMD ["start"]

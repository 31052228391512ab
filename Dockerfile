# The service as an image: docker build -t pocketwatch .
# Podman writes the health check into the image only with --format docker.

# The Node that package.json pins; --build-arg BASE=… takes another image that has Node and npm.
ARG BASE=node:24.21.0-bookworm-slim

FROM ${BASE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# The optional packages bring the Node that the base has already. No package needs a script to run.
RUN npm ci --omit=dev --omit=optional --workspaces=false --ignore-scripts --no-audit --no-fund

FROM ${BASE}
# What installs packages is of use to an intruder alone.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* \
  && mkdir -p /data /app/compiled && chown 10001:10001 /data /app/compiled
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE-CONTENT.md NOTICE CHANGELOG.md ./
COPY docs docs
COPY migrations migrations
COPY cities cities
COPY src src

# /data is a volume and /tmp may be one; nothing else is written, so that the root can be read-only. The limits of the
# heap are those of scripts/launch.mjs.
ARG BUILD_ID=
ENV NODE_ENV=production \
    NODE_OPTIONS="--max-old-space-size=1024 --max-semi-space-size=16" \
    NODE_COMPILE_CACHE=/app/compiled \
    DATA_DIR=/data \
    PORT=3000 \
    BUILD_ID=${BUILD_ID}
VOLUME /data
EXPOSE 3000
# A number, which Kubernetes can tell from root's.
USER 10001:10001
# Stripping types takes half of a start: the compiled files are a part of the image.
RUN node src/main.ts serve --help >/dev/null

# The first history takes minutes, in which the service answers and is not ready.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10m \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]

# Node itself is process 1: it has handlers for the signals and waits for the one process that it starts. The launcher of
# `npm start` would install packages and start the service again when it dies, which the container's engine does.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "src/main.ts"]
CMD ["serve"]

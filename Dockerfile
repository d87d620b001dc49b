# One image for every process of ours, the set-up and the migrations: docker-compose.yml says what runs in which container.

# A live deployment names it with its digest (NODE_IMAGE in .env.example).
ARG NODE_IMAGE=node:24-bookworm-slim
FROM ${NODE_IMAGE} AS base
WORKDIR /payroll

# Only these decide what is installed: while they stay, installing is not repeated.
FROM base AS manifests
COPY . .
RUN find . -type f ! -name package.json ! -name package-lock.json ! -name .npmrc -delete

# Install scripts fetch what only developers run (a Node, a Postgres, git hooks).
FROM base AS build
COPY --from=manifests /payroll ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build \
 && rm -rf node_modules tests lab \
 && find . -type f \( -name '*.ts' -o -name '*.tsx' -o -name '*.map' -o -name '*.tsbuildinfo' \) -delete

# tools is left out: its own libraries start servers on a developer's machine, and its commands in the image need none of them.
FROM base AS libraries
COPY --from=manifests /payroll ./
RUN npm ci --omit=dev --ignore-scripts --workspace services --workspace gateway --workspace rest-facade --workspace mcp --workspace console --workspace sandbox-provider --workspace infra \
 && find node_modules -type f \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.map' \) -delete

FROM base
# As in package.json; a test compares them.
LABEL org.opencontainers.image.title="payroll" org.opencontainers.image.version="0.2.0"
ENV NODE_ENV=production
# The heap ends below the container's limit (a share of it, in percent), so that garbage is collected before Docker ends the process.
ENV NODE_OPTIONS=--max-old-space-size-percentage=60
COPY --from=libraries /payroll ./
COPY --from=build /payroll ./
# A volume takes its first owner from here.
RUN install -d -o node -g node /demo /orders /compiled
USER node
# Compiling what a process imports is a large part of its start: here it is done once.
ENV NODE_COMPILE_CACHE=/compiled
RUN for folder in services/* gateway rest-facade mcp console sandbox-provider; do node "dist/$(basename "$folder").js" --help >/dev/null; done

# syntax=docker/dockerfile:1
# One index is one file on the volume /data:
#   docker run --rm -v akin:/data -v "$PWD":/in:ro akin index /in/crawl.warc.gz --to /data/web.akin
#   docker run -p 3000:3000 -v akin:/data:ro --read-only akin
# test/cli/image.long.ts runs every step of this file without Docker.

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/write-types.mjs scripts/
COPY src src
RUN npm run build

FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force

FROM node:24-slim
ENV NODE_ENV=production AKIN_HOST=0.0.0.0 AKIN_PORT=3000
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE scripts/container-health.mjs ./
COPY bin bin
COPY migrations migrations
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=3s --start-period=30s CMD ["node", "/app/container-health.mjs"]
ENTRYPOINT ["node", "/app/bin/akin"]
CMD ["serve", "/data/web.akin"]

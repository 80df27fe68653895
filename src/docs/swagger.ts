/** A form for every operation: Swagger UI from its npm package, served from our own origin. */
import { createRequire } from 'node:module';
import path from 'node:path';
import express, { type Router } from 'express';
import helmet from 'helmet';

const assets = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Member Commission and Referral Service: API</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="icon" href="/docs/assets/favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const start = `SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
  // By whatever name the page was opened: another origin may not be asked.
  requestInterceptor(request) {
    const { pathname, search } = new URL(request.url, location.href);
    request.url = location.origin + pathname + search;
    return request;
  },
});
`;

/** Swagger UI draws with style attributes and inline SVG, which the policy therefore allows. */
const policy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

/** The only page of the documentation with another policy. */
export function mountSwagger(router: Router): void {
  router.get('/docs/try', policy, (_req, res) => {
    res.type('html').send(page);
  });
  router.get('/docs/start.js', policy, (_req, res) => {
    res.type('js').send(start);
  });
  router.use('/docs/assets', policy, (_req, res, next) => {
    res.removeHeader('Cache-Control');
    next();
  });
  router.use('/docs/assets', express.static(assets, { index: false, redirect: false, acceptRanges: false, maxAge: '1d' }));
}

/** GET /r/{slug}: what browsers follow, without a key. Source: docs/specification/attribution.md#redirect. */
import type { Request, Response } from 'express';
import { AppError } from '../../errors.ts';
import type { CountAddress } from '../../http/rate-limit.ts';
import { plainRoute, type Route } from '../../http/route.ts';
import type { RedirectService } from './redirect-service.ts';
import { visitorKind } from './visitor.ts';

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>This link leads nowhere</title>
</head>
<body>
<h1>This link leads nowhere</h1>
<p>It may have been mistyped, or is not in use any more.</p>
</body>
</html>
`;

export function redirectsRoutes(redirects: RedirectService, countRedirect: CountAddress): Route[] {
  return [
    plainRoute('get', '/r/:slug', async (req, res) => {
      res.setHeader('Cache-Control', 'no-store');
      res.setHeader('X-Robots-Tag', 'noindex, nofollow');
      // The destination learns the site that the visitor comes from, as by any link, and not the page.
      res.setHeader('Referrer-Policy', 'strict-origin-when-cross-origin');
      await countRedirect(req, res);
      const redirect = await redirects.follow({
        slug: String(req.params['slug']),
        kind: visitorKind((name) => req.get(name)),
        follows: req.method !== 'HEAD',
        address: req.ip,
        referrer: req.get('referer'),
      });
      if (!redirect) {
        sendNowhere(req, res);
        return;
      }
      res.setHeader('X-Environment', redirect.environment);
      res.setHeader('Location', redirect.location);
      res.setHeader('Content-Length', '0');
      res.status(302).end();
    }),
  ];
}

/** One answer whatever the reason: what links there are is nobody's business. */
function sendNowhere(req: Request, res: Response): void {
  res.setHeader('Vary', 'Accept');
  if (!/\btext\/html\b/i.test(req.get('accept') ?? '')) throw new AppError('NOT_FOUND', 'No such link');
  res.locals['errorCode'] = 'NOT_FOUND';
  res.status(404).type('html').send(page);
}

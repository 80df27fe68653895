/** The floor of a cold start: Express that answers one path, and nothing else. */
import express from 'express';

const app = express();
app.get('/readyz', (_req, res) => void res.json({ status: 'ok' }));
app.listen(Number(process.env['PORT']), '127.0.0.1');

import type { FastifyReply, FastifyRequest } from 'fastify';
import { failure, localeOf } from '../calls/errors.ts';
import type { AppError } from '../calls/app-error.ts';

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** Whether a browser opened a page, which needs a readable response instead of an envelope. */
export function isForPage({ method, url, headers }: Pick<FastifyRequest, 'method' | 'url' | 'headers'>): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    !/^\/api(\/|$|\?)/.test(url) &&
    (headers.accept ?? '').includes('text/html')
  );
}

/**
 * Responds to a page request for a foreign host name, in the browser's language first.
 *
 * @param url the right address, as a link; undefined if none is known
 */
export function sendRefusedPage(
  request: FastifyRequest,
  reply: FastifyReply,
  error: AppError,
  url: string | undefined,
): FastifyReply {
  const locale = localeOf(request);
  const { messages } = failure(error, locale);
  const sentences = (locale === 'zh' ? (['zh', 'en'] as const) : (['en', 'zh'] as const)).map(
    (one) => `<p lang="${one}">${escapeHtml(messages?.[one] ?? '')}</p>`,
  );
  const link = url === undefined ? '' : `<p><a href="${escapeHtml(url)}/">${escapeHtml(url)}</a></p>`;
  const style =
    'body{max-width:36rem;margin:20vh auto 0;padding:0 24px;font:16px/1.6 ' +
    'system-ui,sans-serif;color:#1d2129}p+p{color:#4e5969}a{font-weight:600}';
  const page =
    `<!doctype html><html lang="${locale}"><meta charset="utf-8"><meta name="viewport" ` +
    `content="width=device-width"><title>Rmeet</title><style>${style}</style>` +
    `<main>${sentences.join('')}${link}</main></html>`;
  return reply.code(400).type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page);
}

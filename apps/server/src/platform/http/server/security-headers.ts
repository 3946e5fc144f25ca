import type { FastifyInstance } from 'fastify';
import type { Addresses } from './addresses.ts';

/** The page of the assistant, which the other pages of the product show in a frame. */
const FRAMED = /^\/assistant(?:[/?]|$)/;

/**
 * The content security policy of the web app. Scripts come only from this server. antd writes its styles into the page,
 * hence inline styles. Older Safari does not treat a page's own WebSocket address as 'self', hence the host.
 *
 * @param elsewhere origins of media engines, and of stored files if browsers read them there: Safari's player does so
 *   by `media-src`; of local agents with certificates; and of pages that frames may show
 * @param isMeeting the page may compile WebAssembly, which the background of a camera and the suppression of noise
 *   need; this allows no script that is text, and no file of another server
 */
function contentSecurityPolicy(
  host: string,
  elsewhere: { mediaOrigins: string[]; fileOrigins: string[]; agents: string[]; frames: string[] },
  { isMeeting, isFramed }: { isMeeting: boolean; isFramed: boolean },
): string {
  const { mediaOrigins, fileOrigins, agents, frames } = elsewhere;
  return [
    `default-src 'none'`,
    `script-src 'self'${isMeeting ? ` 'wasm-unsafe-eval'` : ''}`,
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data: blob:`,
    `font-src 'self' data:`,
    `media-src ${["'self'", 'blob:', 'mediastream:', ...fileOrigins].join(' ')}`,
    `connect-src ${["'self'", `ws://${host}`, `wss://${host}`, ...mediaOrigins, ...fileOrigins, ...agents].join(' ')}`,
    `frame-src ${["'self'", ...frames].join(' ')}`,
    `worker-src 'self' blob:`,
    `manifest-src 'self'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors ${isFramed ? "'self'" : "'none'"}`,
  ].join('; ');
}

/** The origins livekit-client connects to if the media engine runs elsewhere: WebSocket and, to validate, HTTP. */
function originsOf(mediaUrl: string): string[] {
  const { host, protocol } = new URL(mediaUrl);
  return protocol === 'wss:' || protocol === 'https:'
    ? [`wss://${host}`, `https://${host}`]
    : [`ws://${host}`, `http://${host}`];
}

/** Whether an address can be a page of the web app with meetings; the others never compile WebAssembly. */
function hasMeetings(url: string): boolean {
  return !/^\/(?:api|admin|manage|setup|downloads|help|assistant)(?:[/?]|$)/.test(url);
}

/** One year of https only for this host (RFC 6797), after its first use. */
const HTTPS_ALONE = 'max-age=31536000';

/** Sets the security headers of every response. */
export function securityHeaders(
  app: FastifyInstance,
  addresses: Pick<Addresses, 'originOf'>,
  {
    mediaUrls = [],
    fileUrls = [],
    agentUrl,
    frameHosts = [],
  }: {
    mediaUrls?: readonly string[];
    fileUrls?: readonly string[];
    agentUrl?: string | undefined;
    frameHosts?: readonly string[];
  },
): void {
  const elsewhere = {
    mediaOrigins: mediaUrls.flatMap(originsOf),
    fileOrigins: fileUrls.map((url) => new URL(url).origin),
    agents: agentUrl === undefined ? [] : [agentUrl],
    frames: frameHosts.flatMap((host) => [`https://${host}`, `http://${host}`]),
  };
  app.addHook('onRequest', async (request, reply) => {
    const { host, protocol } = new URL(addresses.originOf(request.raw));
    const isFramed = FRAMED.test(request.url);
    const page = { isMeeting: hasMeetings(request.url), isFramed };
    void reply.headers({
      'content-security-policy': contentSecurityPolicy(host, elsewhere, page),
      ...(protocol === 'https:' ? { 'strict-transport-security': HTTPS_ALONE } : {}),
      'x-content-type-options': 'nosniff',
      'x-frame-options': isFramed ? 'SAMEORIGIN' : 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy':
        'camera=(self), microphone=(self), display-capture=(self), ' +
        'fullscreen=(self), geolocation=(), payment=(), usb=()',
      'x-request-id': request.id,
    });
  });
}

import type { ServerResponse } from 'node:http';
import { contract, type Input } from '@rmeet/contract';
import type { z } from 'zod';
import type { Bypass, FileAnswer } from '../../../platform/http/index.ts';
import type { Delivery } from './delivery.ts';

const { playlist, media, openPlaylist, openMedia } = contract.watch;
const [before, after] = playlist.path.split(':id') as [string, string];
const [beforeOpen] = openPlaylist.path.split(':id') as [string];
const PLAYLIST = after.slice(1);
const RENDITIONS = contract.watch.renditions.path.split('/').at(-1);
const TARGET = new RegExp(`^(${before}|${beforeOpen})([0-9a-f-]{36})/([\\w.-]{1,60})\\?([^#]*)$`);
/** Those that matter for media; pages get more. */
const HEADERS = { 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' };

/** Making another one for each request takes long. */
const CLOSED = new Error('The viewer has closed the connection.');

type Asked =
  | { kind: 'playlist'; input: Input<typeof playlist> }
  | { kind: 'media'; input: Input<typeof media> }
  | { kind: 'openPlaylist'; input: Input<typeof openPlaylist> }
  | { kind: 'openMedia'; input: Input<typeof openMedia> };

/** What a request asks for; undefined if it is another one, or not valid. */
function askedBy(method: string | undefined, target: string | undefined): Asked | undefined {
  const [, base, id = '', file = '', search = ''] = (method === 'GET' && TARGET.exec(target ?? '')) || [];
  if (id === '') return undefined;
  if (file === RENDITIONS) return undefined;
  const query = Object.fromEntries(new URLSearchParams(search));
  const isOpen = base === beforeOpen;
  if (file === PLAYLIST)
    return isOpen
      ? requestFor('openPlaylist', valid(openPlaylist, { id }, query))
      : requestFor('playlist', valid(playlist, { id }, query));
  return isOpen
    ? requestFor('openMedia', valid(openMedia, { id, file }, query))
    : requestFor('media', valid(media, { id, file }, query));
}

/** What a valid input asks for. */
const requestFor = <K extends string, I>(kind: K, input: I | undefined) => input && { kind, input };

/** The input of a call; undefined if it is not valid. */
function valid<P, Q>(
  { input }: { input: { params: z.ZodType<P>; query: z.ZodType<Q> } },
  params: unknown,
  query: unknown,
): { params: P; query: Q } | undefined {
  const [inPath, inQuery] = [input.params.safeParse(params), input.query.safeParse(query)];
  return inPath.success && inQuery.success ? { params: inPath.data, query: inQuery.data } : undefined;
}

/** Undefined if the way of all other calls has to answer: a failure, or a replay. */
async function find(delivery: Delivery, asked: Asked, signal: AbortSignal): Promise<FileAnswer | undefined> {
  try {
    if (asked.kind === 'openPlaylist') return await delivery.openPlaylist({ signal }, asked.input);
    if (asked.kind === 'openMedia') return await delivery.openMedia({ signal }, asked.input);
    if (!(await delivery.isLiveFor(asked.input.params.id, asked.input.query.sign))) return undefined;
    return await (asked.kind === 'playlist'
      ? delivery.playlist({ signal }, asked.input)
      : delivery.media({ signal }, asked.input));
  } catch {
    // It fails there in the same way, with its envelope, its limits and its log.
    return undefined;
  }
}

async function send(answer: FileAnswer, response: ServerResponse): Promise<void> {
  const { status, headers, body } = await answer.part(undefined);
  if (!Buffer.isBuffer(body)) throw new Error('Live media is in memory.');
  response.writeHead(status, { ...HEADERS, ...headers, 'content-length': body.length }).end(body);
}

/**
 * Answers requests for live media at once. A viewer makes six a second, and the way of all other calls takes several
 * times longer than what there is to do. What this cannot answer goes that way.
 */
export const fastPath = (delivery: Delivery): Bypass => ({
  request(request, response, rest) {
    const asked = askedBy(request.method, request.url);
    if (!asked) return false;
    const given = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) given.abort(CLOSED);
    });
    find(delivery, asked, given.signal)
      .then((answer) => (answer ? send(answer, response) : rest()))
      .catch(rest);
    return true;
  },
});

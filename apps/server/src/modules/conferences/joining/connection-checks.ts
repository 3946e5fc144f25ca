import type { contract, Data } from '@rmeet/contract';
import { AppError, type Context } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import { dropClosedChecks, openCheckRoom, type Media } from '../../../platform/media/index.ts';

/** Checks at once, so that they take no places of the media engine from meetings. */
const AT_ONCE = 40;
/** How long a room is kept for a browser that does not come. */
const EMPTY_SECONDS = 30;

interface ConnectionCheckDeps {
  media: Media;
  log: Log;
  now: () => Date;
}

/** Rooms of the media engine in which people try their connection before a meeting. They belong to no tenant. */
export function createConnectionChecks({ media, log, now }: ConnectionCheckDeps) {
  return {
    /** @throws AppError MEDIA_UNAVAILABLE, SERVICE_BUSY */
    async open(context: Context): Promise<Data<typeof contract.conferences.checkConnection>> {
      if (!media.available()) throw new AppError('MEDIA_UNAVAILABLE');
      const running = await dropClosedChecks(media, now()).catch((error: unknown) => unavailable(log, error));
      if (running >= AT_ONCE) throw new AppError('SERVICE_BUSY');
      const token = await openCheckRoom({
        zone: media,
        now: now(),
        canPublish: true,
        emptySeconds: EMPTY_SECONDS,
      }).catch((error: unknown) => unavailable(log, error));
      return { url: media.url(context), token, ports: [...media.udpPorts] };
    },
  };
}

export type ConnectionChecks = ReturnType<typeof createConnectionChecks>;

function unavailable(log: Log, error: unknown): never {
  log.warn({ error }, 'The media engine has no room for a connection check');
  throw new AppError('MEDIA_UNAVAILABLE');
}

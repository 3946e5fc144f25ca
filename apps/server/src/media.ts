import { start, type Engine, type EngineOptions } from '@rmeet/sfu';
import { createLog } from './platform/log/log.ts';
import { CannotStart, processTag, runSupervised, type MediaAssignment } from './platform/process/index.ts';

/** A port that is taken is for a person to put right, and named. */
async function startEngine(udpPort: number, options: EngineOptions): Promise<Engine> {
  try {
    return await start(options);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall !== 'bind') throw error;
    const reason = code === 'EADDRINUSE' ? 'another program uses it' : (code ?? 'it fails');
    throw new CannotStart(
      `UDP port ${udpPort} cannot be used for media: ${reason}. Set RMEET_MEDIA_PORT to a free one.`,
      { cause: error },
    );
  }
}

/** Media by TCP: on the number of the UDP port, and on the web port, whose connections the server passes on. */
function tcpOptions(
  { tcp, webPort, webAddress }: MediaAssignment['settings'],
  serverPort: number,
): Pick<EngineOptions, 'tcpPort' | 'webPort'> {
  if (!tcp) return {};
  if (webPort === undefined) return { tcpPort: 0 };
  const port = webPort === 0 ? serverPort : webPort;
  return { tcpPort: 0, webPort: webAddress === undefined ? { port } : { port, address: webAddress } };
}

/** A media process: the embedded engine and nothing else. */
await runSupervised(async ({ media, port }) => {
  const own = media?.processes[media.index ?? -1];
  if (!media || !own) throw new CannotStart('The media process has nothing to do with LIVEKIT_URL.');
  const { publicIp, turn, webhooks, disableV1, transport, drainMinutes, capacity } = media.settings;
  const log = createLog(`media ${media.index}`, media.logLevel);
  const engine = await startEngine(own.udpPort, {
    host: '127.0.0.1',
    ...own,
    apiKey: media.apiKey,
    apiSecret: media.apiSecret,
    ...(publicIp === undefined ? {} : { publicIp }),
    ...(turn === undefined ? {} : { turn }),
    ...(webhooks === undefined ? {} : { webhooks }),
    ...tcpOptions(media.settings, port),
    ufragPrefix: processTag(media.index ?? 0),
    holdTracks: true,
    disableV1,
    transport,
    capacity,
    log: (level, message, fields) => log[level](fields, message),
  });
  return {
    lines: [],
    // With another process new conferences go there meanwhile; where it is the only one they would be refused.
    drain: () => engine.drain(media.processes.length > 1 ? drainMinutes * 60_000 : 0),
    stop: () => engine.close(),
    acceptMedia: (socket, head) => engine.acceptMedia(socket, head),
  };
});

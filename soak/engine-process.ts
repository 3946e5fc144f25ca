/**
 * The embedded engine in its own process: sends its parent the ports, and on 'collect' collects garbage and reports its
 * memory.
 */
import { start, type LogLevel } from '@rmeet/sfu';

const shown: readonly LogLevel[] =
  process.env['SFU_LOG'] === undefined ? ['error'] : ['debug', 'info', 'warn', 'error'];
const { TRANSPORT } = process.env;
const engine = await start({
  ...(TRANSPORT === 'native' || TRANSPORT === 'datachannel' ? { transport: TRANSPORT } : {}),
  host: '127.0.0.1',
  port: 0,
  udpPort: 0,
  apiKey: process.env['API_KEY'] ?? '',
  apiSecret: process.env['API_SECRET'] ?? '',
  emptyTimeout: 1,
  departureTimeout: 1,
  log: (level, message, fields) => {
    if (shown.includes(level)) process.stderr.write(`${level} ${message} ${JSON.stringify(fields)}\n`);
  },
});
process.on('message', () => {
  // Twice: the second collection frees what the first one finalized.
  globalThis.gc?.();
  setImmediate(() => {
    globalThis.gc?.();
    const { rss, heapUsed, external } = process.memoryUsage();
    process.send?.({ rss, heapUsed, external });
  });
});
process.send?.({ port: engine.port, udpPort: engine.udpPort });
const close = (): void => void engine.close().then(() => process.exit(0));
process.once('SIGTERM', close);
process.once('disconnect', close);

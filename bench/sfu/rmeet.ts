/** The embedded engine as a separate process; sends its parent the port. */
import { start } from '@rmeet/sfu';

const { ADDRESS, TRANSPORT } = process.env;
const engine = await start({
  ...(ADDRESS === undefined ? {} : { addresses: [ADDRESS] }),
  ...(TRANSPORT === 'native' || TRANSPORT === 'datachannel' ? { transport: TRANSPORT } : {}),
  host: '127.0.0.1',
  port: 0,
  udpPort: 0,
  apiKey: process.env['API_KEY'] ?? '',
  apiSecret: process.env['API_SECRET'] ?? '',
});
process.send?.({ port: engine.port, udpPort: engine.udpPort });
const close = (): void => void engine.close().then(() => process.exit(0));
process.once('SIGTERM', close);
process.once('disconnect', close);

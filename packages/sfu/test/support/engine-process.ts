import { transportOption } from '@rmeet/testkit';
import { start } from '../../src/index.ts';
import { apiKey, apiSecret } from './engine.ts';

// An engine in its own process, so that a test can kill it: `node engine-process.ts <port> <udpPort> <disableV1>`.
const [port, udpPort, disableV1] = process.argv.slice(2);
const engine = await start({
  host: '127.0.0.1',
  port: Number(port),
  udpPort: Number(udpPort),
  ...transportOption(),
  apiKey,
  apiSecret,
  disableV1: disableV1 === 'true',
});
process.send?.({ port: engine.port, udpPort: engine.udpPort });
process.on('disconnect', () => process.exit());

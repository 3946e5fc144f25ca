import { MediaClient } from './media-client.ts';

// A client with data channels in its own process, so that a test can stop it: `node data-listener.ts <port> <token>`.
const [port, token] = process.argv.slice(2);
await new MediaClient(Number(port), token!).connect();
process.send?.('connected');
process.on('disconnect', () => process.exit());

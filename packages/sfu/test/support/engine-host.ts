import { start, type EngineOptions } from '../../src/index.ts';

// An engine on a host of its own: `node engine-host.ts <EngineOptions as JSON>`.
const engine = await start(JSON.parse(process.argv[2] ?? '{}') as EngineOptions);
process.send?.({ port: engine.port, udpPort: engine.udpPort });
process.on('disconnect', () => process.exit());

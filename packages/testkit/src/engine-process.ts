import { start, type EngineOptions } from '@rmeet/sfu';

// An embedded engine in its own process, as run by `startEngineProcess`: `node engine-process.ts <EngineOptions as
// JSON>`.
const engine = await start(JSON.parse(process.argv[2] ?? '{}') as EngineOptions);
process.send?.({ port: engine.port, udpPort: engine.udpPort });
process.on('disconnect', () => process.exit());

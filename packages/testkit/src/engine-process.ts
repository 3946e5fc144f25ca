import { start, type EngineOptions } from '@rmeet/sfu';

// An embedded engine in a process of its own, as `startEngineProcess` runs it: `node engine-process.ts <EngineOptions
// as JSON>`.
const engine = await start(JSON.parse(process.argv[2] ?? '{}') as EngineOptions);
process.send?.({ port: engine.port, udpPort: engine.udpPort });
process.on('disconnect', () => process.exit());

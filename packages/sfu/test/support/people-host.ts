import { Participant } from '@rmeet/participant';
import { until } from '@rmeet/testkit';

// Two participants on a separate host, one of whom sees the other: `node people-host.ts {"url", "tokens"}`. Reports how
// many frames arrived.
const { url, tokens } = JSON.parse(process.argv[2] ?? '{}') as { url: string; tokens: [string, string] };
const [alice, bob] = await Promise.all(tokens.map((token) => Participant.connect({ url, token })));
await alice!.publishVideo({ colour: 'green' });
const frames = (): number => [...bob!.tracks.values()].reduce((sum, track) => sum + track.counters.frames, 0);
await until('bob sees alice', () => frames() > 10);
process.send?.({ frames: frames() });
process.on('disconnect', () => process.exit());

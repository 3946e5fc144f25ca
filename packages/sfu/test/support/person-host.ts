import { Participant } from '@rmeet/participant';
import { until } from '@rmeet/testkit';

// One participant on a separate host: `node person-host.ts {"url", "token", "size"}`. With `size` it publishes packets
// of that many bytes and sends messages; otherwise it reports the packets of the other one and the messages received.
const PACKETS = 500;
const MESSAGES = 20;

const { url, token, size } = JSON.parse(process.argv[2] ?? '{}') as { url: string; token: string; size?: number };
const person = await Participant.connect({ url, token });
if (size === undefined) {
  let messages = 0;
  person.on('data', ({ payload }) => {
    if (payload.length === 10_000) messages += 1;
  });
  const counters = (): { packets: number; lost: number } =>
    [...person.tracks.values()][0]?.counters ?? { packets: 0, lost: 0 };
  await until('packets and messages come', () => counters().packets >= PACKETS && messages >= MESSAGES);
  process.send?.({ packets: counters().packets, lost: counters().lost, messages });
} else {
  await person.publishRaw({ packetsPerSecond: 300, size });
  // the other one may join later
  setInterval(() => void person.sendData(new Uint8Array(10_000)), 50);
  process.send?.({});
}
process.on('disconnect', () => process.exit());

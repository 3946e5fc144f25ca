import { Participant } from '@rmeet/participant';
import { until } from '@rmeet/testkit';
import { median } from '../../bench/report.ts';
import type { SoakEngine } from '../engine.ts';

/** What the participants of a call noticed within a period. */
export interface Noticed {
  lossPercent: number;
  /** One-way delay of data between them: median and maximum, ms. */
  latencyMs: number;
  worstLatencyMs: number;
  /** Longest time without a picture, over all pictures, ms; and how often it was more than half a second. */
  longestGapMs: number;
  freezes: number;
}

const PROBE_MS = 50;
const FREEZE_MS = 500;
const NAMES = ['alice', 'bob', 'carol'];

/** Three participants who see and hear each other, and measure. */
export class Call {
  #people: Participant[];
  #latencies: number[] = [];
  #gaps: number[] = [];
  #probe: NodeJS.Timeout;
  #packets = 0;
  #lost = 0;

  private constructor(people: Participant[]) {
    this.#people = people;
    people.forEach((person) => {
      person.on('data', ({ topic, payload }) => {
        if (topic === 'probe') this.#latencies.push(performance.now() - Number(Buffer.from(payload).toString()));
      });
    });
    for (const track of this.#tracks()) {
      let [frames, at] = [track.counters.frames, performance.now()];
      if (track.kind === 'audio') continue;
      track.onPacket = () => {
        if (track.counters.frames === frames) return;
        frames = track.counters.frames;
        const now = performance.now();
        this.#gaps.push(now - at);
        at = now;
      };
    }
    // An ended call sends no probe; its participants' packets show that they are still connected.
    this.#probe = setInterval(
      () =>
        void people[0]!.sendData(String(performance.now()), { topic: 'probe', reliable: false }).catch(() => undefined),
      PROBE_MS,
    );
    this.begin();
  }

  static async start(engine: SoakEngine, room: string): Promise<Call> {
    const people = await Promise.all(
      NAMES.map(async (name) =>
        Participant.connect({ url: engine.url, token: await engine.token(name, room), feedback: true }),
      ),
    );
    await Promise.all(
      people.map((person) => Promise.all([person.publishVideo({ bitrate: 150_000 }), person.publishAudio()])),
    );
    await until('all see and hear each other', () =>
      people.every((person) => [...person.tracks.values()].filter(({ counters }) => counters.frames > 5).length === 4),
    );
    return new Call(people);
  }

  /** Tracks of each other, without those of a flooder. */
  #tracks() {
    return this.#people.flatMap((person) =>
      [...person.tracks.values()].filter(({ identity }) => NAMES.includes(identity)),
    );
  }

  #sum(figure: 'packets' | 'lost'): number {
    return this.#tracks().reduce((sum, { counters }) => sum + counters[figure], 0);
  }

  get whole(): boolean {
    return this.#people.every((person) => !person.ended);
  }

  /** Starts a measurement. */
  begin(): void {
    this.#latencies = [];
    this.#gaps = [];
    this.#packets = this.#sum('packets');
    this.#lost = this.#sum('lost');
  }

  noticed(): Noticed {
    const [packets, lost] = [this.#sum('packets') - this.#packets, Math.max(0, this.#sum('lost') - this.#lost)];
    return {
      lossPercent: (100 * lost) / Math.max(1, packets + lost),
      latencyMs: median(this.#latencies),
      worstLatencyMs: Math.max(...this.#latencies),
      longestGapMs: Math.max(...this.#gaps),
      freezes: this.#gaps.filter((gap) => gap > FREEZE_MS).length,
    };
  }

  end(): void {
    clearInterval(this.#probe);
    for (const person of this.#people) if (!person.ended) person.leave();
  }
}

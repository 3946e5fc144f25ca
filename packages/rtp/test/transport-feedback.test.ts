import { describe, expect, it } from 'vitest';
import { ArrivalLog, FeedbackReader } from '../src/rtcp/transport-feedback.ts';

/** Reads messages into what they say, packet by packet. */
function reader() {
  const statuses: Array<[sequence: number, arrivalMs: number]> = [];
  const feedback = new FeedbackReader({
    handlePacketStatus: (sequence, arrivalMs) => statuses.push([sequence, arrivalMs]),
  });
  return {
    statuses,
    read: (message: Buffer | undefined) => message !== undefined && feedback.read(message, 0, message.length),
  };
}

/** Numbers from 0 to 1, the same in each run. */
function draws(): () => number {
  let state = 7;
  return () => {
    state = (state * 48_271) % 0x7fff_ffff;
    return state / 0x7fff_ffff;
  };
}

describe('transport-wide feedback', () => {
  it('reports arrivals to a quarter of a millisecond, and losses, across the wrap of the numbers', () => {
    const log = new ArrivalLog();
    const { statuses, read } = reader();
    const draw = draws();
    const sent: Array<[number, number]> = [];
    let now = 123_456;
    for (let number = 65_000; number < 67_500; number += 1) {
      now += draw() < 0.02 ? draw() * 400 : draw() * 3;
      const lost = draw() < 0.2 && number > 65_000;
      if (!lost) log.received(number & 0xffff, 5, now);
      sent.push([number & 0xffff, lost ? Number.NaN : now]);
      if (log.isDue(now)) expect(read(log.feedback(now))).toBe(true);
    }
    read(log.feedback(now));
    expect(statuses.length).toBeGreaterThan(2400);
    const offset = statuses[0]![1] - sent[0]![1];
    for (const [index, [sequence, arrivalMs]] of statuses.entries()) {
      expect(sequence).toBe(sent[index]![0]);
      const expected = sent[index]![1];
      if (Number.isNaN(expected)) expect(arrivalMs).toBeNaN();
      else expect(Math.abs(arrivalMs - expected - offset)).toBeLessThanOrEqual(0.25);
    }
  });

  it('reports late packets, also those reported as lost before, and nothing twice', () => {
    const log = new ArrivalLog();
    const { statuses, read } = reader();
    log.received(10, 5, 1000);
    log.received(12, 5, 1010);
    expect(read(log.feedback(1010))).toBe(true);
    expect(statuses.map(([sequence, arrivalMs]) => [sequence, Number.isNaN(arrivalMs)])).toEqual([
      [10, false],
      [11, true],
      [12, false],
    ]);
    expect(log.feedback(1020)).toBeUndefined();
    log.received(11, 5, 1030);
    expect(read(log.feedback(1030))).toBe(true);
    expect(statuses[3]).toEqual([11, statuses[0]![1] + 30]);
  });

  it('is due later after few packets, soon after many', () => {
    const log = new ArrivalLog();
    log.received(1, 5, 1000);
    log.feedback(1000);
    expect(log.isDue(2000)).toBe(false);
    log.received(2, 5, 1010);
    expect(log.isDue(1050)).toBe(false);
    expect(log.isDue(1090)).toBe(true);
    for (let number = 3; number < 30; number += 1) log.received(number, 5, 1011);
    expect(log.isDue(1012)).toBe(true);
  });

  it('survives a jump of the numbers, a pause of hours, and inconsistent messages', () => {
    const log = new ArrivalLog();
    const { statuses, read } = reader();
    log.received(1, 5, 1000);
    log.received(30_000, 5, 1001);
    expect(read(log.feedback(1001))).toBe(true);
    log.received(30_001, 5, 5_000_000);
    log.received(30_002, 5, 5_000_030);
    expect(read(log.feedback(5_000_040))).toBe(true);
    expect(statuses.at(-1)![1] - statuses.at(-2)![1]).toBe(30);
    const message = Buffer.from(
      log.feedback(5_000_041) ?? (log.received(30_003, 5, 5_000_050), log.feedback(5_000_050))!,
    );
    for (let length = 0; length < message.length; length += 1)
      expect(() => read(message.subarray(0, length))).not.toThrow();
    message.writeUInt16BE(60_000, 14);
    expect(read(message)).toBe(false);
  });
});

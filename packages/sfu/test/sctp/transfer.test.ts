import { describe, expect, test } from 'vitest';
import { connectedPair, pair, pattern, transfer } from './support.ts';

describe('messages over SCTP', () => {
  test('what is sent before the association is connected arrives', () => {
    const { clock, alice, bob } = pair();
    const channel = alice.association.openChannel('early', { ordered: true, protocol: 'p' });
    expect(alice.association.send(channel, Buffer.from('hello'), false)).toBe(true);
    expect(alice.association.send(channel, Buffer.alloc(0), true)).toBe(true);
    alice.association.start();
    bob.association.start();
    expect(clock.runUntil(() => bob.received.length === 2, 5000)).toBe(true);
    const [text, empty] = bob.received;
    expect([text!.message.toString(), text!.isBinary]).toEqual(['hello', false]);
    expect([empty!.message.length, empty!.isBinary]).toEqual([0, true]);
    expect(text!.channel).toMatchObject({ label: 'early', protocol: 'p', ordered: true, isOpen: true });
  });

  test.each([
    { name: 'no loss', link: {} },
    { name: '1 % loss', link: { loss: 0.01 } },
    { name: '5 % loss', link: { loss: 0.05 } },
    { name: '10 % loss', link: { loss: 0.1 } },
    { name: '5 % loss, reordering and duplicates', link: { loss: 0.05, jitterMs: 15, duplicates: 0.05 } },
    { name: 'a queue of 30 packets', link: { queuePackets: 30 } },
  ])('2 MB arrive reliable and in order with $name', ({ link }) => {
    for (const seed of [1, 2, 3]) {
      const both = connectedPair({ delayMs: 20, bitsPerSecond: 20_000_000, seed, ...link });
      const { seconds, wrong, got } = transfer(both, { count: 128, bytes: 16_384, limitMs: 60_000 });
      expect({ seed, got, wrong }).toEqual({ seed, got: 128, wrong: 0 });
      expect(seconds).toBeLessThan(5);
    }
  });

  test.each([1, 2, 3, 4, 5])('both directions at once, each with a loss of 0.1 (seed %i)', (seed) => {
    const { clock, alice, bob } = connectedPair({ loss: 0.1, jitterMs: 10, seed, bitsPerSecond: 20_000_000 });
    const [there, back] = [alice, bob].map(({ association }) => association.openChannel('x', { ordered: true }));
    for (let index = 0; index < 50; index++) {
      alice.association.send(there!, pattern(20_000, index));
      bob.association.send(back!, pattern(20_000, index + 7));
    }
    expect(clock.runUntil(() => alice.received.length === 50 && bob.received.length === 50, 30_000)).toBe(true);
    expect(bob.received.every(({ message }, index) => message.equals(pattern(20_000, index)))).toBe(true);
    expect(alice.received.every(({ message }, index) => message.equals(pattern(20_000, index + 7)))).toBe(true);
  });

  test('many long messages of 16 channels above the receive window all arrive', () => {
    const { clock, alice, bob } = connectedPair(
      { loss: 0.02, jitterMs: 5, bitsPerSecond: 50_000_000 },
      { receiveWindowBytes: 300_000, maxMessageBytes: 262_144, sendBufferBytes: 16_000_000 },
    );
    const channels = Array.from({ length: 16 }, (_, index) =>
      alice.association.openChannel(`c${index}`, { ordered: index % 2 === 0 }),
    );
    for (let round = 0; round < 3; round++) {
      for (const [index, channel] of channels.entries()) {
        expect(alice.association.send(channel, pattern(250_000, index))).toBe(true);
      }
    }
    expect(clock.runUntil(() => bob.received.length === 48, 120_000)).toBe(true);
    expect(bob.closedBecause).toBeUndefined();
    for (const { channel, message } of bob.received) {
      expect(message.equals(pattern(250_000, Number(channel.label.slice(1))))).toBe(true);
    }
  });

  test('a message above the bound is refused where it is sent', () => {
    const { clock, alice, bob } = connectedPair({}, { maxMessageBytes: 50_000 });
    const channel = alice.association.openChannel('x', { ordered: true });
    expect(alice.association.send(channel, Buffer.alloc(50_001))).toBe(false);
    expect(alice.association.send(channel, Buffer.alloc(50_000))).toBe(true);
    expect(clock.runUntil(() => bob.received.length === 1, 5000)).toBe(true);
  });

  test('the send buffer is bounded, empties, and accepts again', () => {
    const { clock, alice, bob } = connectedPair({}, { sendBufferBytes: 100_000 });
    const channel = alice.association.openChannel('x', { ordered: true });
    clock.run(200);
    let sent = 0;
    while (alice.association.send(channel, Buffer.alloc(10_000))) {
      sent++;
    }
    expect(sent).toBeLessThanOrEqual(10);
    expect(channel.bufferedAmount).toBe(sent * 10_000);
    clock.runUntil(() => channel.bufferedAmount === 0, 10_000);
    expect(bob.received).toHaveLength(sent);
    expect(alice.association.send(channel, Buffer.alloc(10_000))).toBe(true);
  });

  test('a lossy channel loses messages and never stalls', () => {
    const { clock, alice, bob } = connectedPair({ loss: 0.1, bitsPerSecond: 20_000_000 });
    const channel = alice.association.openChannel('lossy', { ordered: false, maxRetransmits: 0 });
    clock.run(200);
    for (let index = 0; index < 2000; index++) {
      alice.association.send(channel, Buffer.alloc(600, index));
      clock.run(10);
    }
    clock.run(2000);
    expect(channel.bufferedAmount).toBe(0);
    expect(bob.received.length).toBeGreaterThan(1600);
    expect(bob.received.length).toBeLessThan(2000);
  });

  test('a message whose lifetime is over is given up, and the next ordered one arrives', () => {
    const { clock, alice, bob } = connectedPair();
    const channel = alice.association.openChannel('timed', { ordered: true, maxLifetimeMs: 300 });
    clock.run(200);
    alice.link!.isCut = true;
    alice.association.send(channel, Buffer.from('too late'));
    clock.run(1500);
    alice.link!.isCut = false;
    alice.association.send(channel, Buffer.from('in time'));
    clock.run(5000);
    expect(bob.received.map(({ message }) => message.toString())).toEqual(['in time']);
    expect(channel.bufferedAmount).toBe(0);
  });

  test('after ten seconds without a network messages continue within two', () => {
    const { clock, alice, bob } = connectedPair();
    const channel = alice.association.openChannel('x', { ordered: true });
    clock.run(500);
    alice.link!.isCut = true;
    bob.link!.isCut = true;
    alice.association.send(channel, Buffer.alloc(100_000));
    clock.run(10_000);
    alice.link!.isCut = false;
    bob.link!.isCut = false;
    expect(clock.runUntil(() => bob.received.length === 1, 6000)).toBe(true);
  });
});

describe('channels over SCTP', () => {
  test('a closed channel delivers what was sent, closes at both ends, and its id is used again', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const { clock, alice, bob } = connectedPair({ loss: 0.1, jitterMs: 20, seed });
      const ids = new Set<number>();
      for (let round = 0; round < 5; round++) {
        const channel = alice.association.openChannel(`round ${round}`, { ordered: true });
        for (let index = 0; index < 20; index++) {
          alice.association.send(channel, Buffer.from([round, index]));
        }
        ids.add(channel.id);
        alice.association.closeChannel(channel);
        expect(alice.association.send(channel, Buffer.from('late'))).toBe(false);
        const done = () => alice.closed.length === round + 1 && bob.closed.length === round + 1;
        expect(clock.runUntil(done, 60_000)).toBe(true);
        // Both streams are reset, and the answers have arrived.
        clock.run(20_000);
      }
      expect([...ids]).toEqual([0]);
      const got = bob.received.map(({ message }) => message[0]! * 20 + message[1]!);
      expect(got).toEqual(Array.from({ length: 100 }, (_, index) => index));
      expect([alice.closedBecause, bob.closedBecause]).toEqual([undefined, undefined]);
    }
  });

  test('a channel opens on the id of a closed one although the peer waits for the answer to its reset', () => {
    const { clock, alice, bob } = connectedPair();
    const first = alice.association.openChannel('first', { ordered: true });
    clock.run(200);
    const link = alice.link!;
    const send = link.send.bind(link);
    let dropped = 0;
    link.send = (packet) => {
      // RE-CONFIG with a response (RFC 6525, section 4.4).
      if (dropped === 0 && packet[12] === 130 && packet[17] === 16) {
        dropped++;
      } else {
        send(packet);
      }
    };
    alice.association.closeChannel(first);
    clock.run(100);
    expect(dropped).toBe(1);
    const second = alice.association.openChannel('second', { ordered: true });
    expect(second.id).toBe(first.id);
    alice.association.send(second, Buffer.from('hello'));
    clock.run(3000);
    expect(bob.open.map(({ label }) => label)).toEqual(['first', 'second']);
    expect(bob.received.map(({ message }) => message.toString())).toEqual(['hello']);
    expect(second.isOpen).toBe(true);
  });

  test('both sides close the same channel at once', () => {
    const { clock, alice, bob } = connectedPair();
    alice.association.openChannel('x', { ordered: true });
    clock.run(200);
    alice.association.closeChannel(alice.open[0]!);
    bob.association.closeChannel(bob.open[0]!);
    clock.run(3000);
    expect([alice.closed.length, bob.closed.length]).toEqual([1, 1]);
  });

  test('both sides open channels at once with ids of their own', () => {
    const { clock, alice, bob } = connectedPair();
    for (let index = 0; index < 4; index++) {
      alice.association.openChannel(`a${index}`, { ordered: true });
      bob.association.openChannel(`b${index}`, { ordered: false, maxRetransmits: 0 });
    }
    clock.run(1000);
    const ids = new Set(alice.open.map(({ id }) => id));
    expect(ids).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7]));
    expect(bob.open).toHaveLength(8);
  });
});

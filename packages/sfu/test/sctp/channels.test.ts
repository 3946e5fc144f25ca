import { describe, expect, test } from 'vitest';
import { readOpen, writeOpen } from '../../src/transport/sctp/channels/dcep.ts';
import { DataChannels } from '../../src/transport/sctp/channels/data-channels.ts';
import { PayloadProtocol } from '../../src/transport/sctp/wire/constants.ts';

/** Channels without an association: what they send, and what they report. */
function bench(isDtlsClient = true) {
  const sent: { id: number; protocol: number; ordered: boolean }[] = [];
  const resets: number[] = [];
  const events: string[] = [];
  const channels = new DataChannels({
    isDtlsClient,
    maxMessageBytes: 100,
    host: {
      send: (id, protocol, _message, { ordered }) => sent.push({ id, protocol, ordered }) > 0,
      bufferedAmount: () => 0,
      resetStream: (id) => resets.push(id),
    },
    handler: {
      channelOpen: ({ label }) => events.push(`open ${label}`),
      channelClosed: ({ label }) => events.push(`closed ${label}`),
      message: ({ label }, message, isBinary) =>
        events.push(`${label}: ${isBinary ? 'binary' : 'text'} ${message.toString()}`),
    },
  });
  channels.connected(1024, 1024);
  return { channels, sent, resets, events };
}

const request = (label: string) => writeOpen({ label, protocol: '', ordered: true });
const control = PayloadProtocol.control;
const ack = Buffer.from([2]);

describe('data channels', () => {
  test('the DTLS client has even ids, the server odd ones, and no message overtakes the request', () => {
    const { channels, sent, events } = bench();
    const [first, second] = ['a', 'b'].map((label) => channels.open(label, { ordered: false, maxRetransmits: 0 }));
    expect([first!.id, second!.id, bench(false).channels.open('c', { ordered: true }).id]).toEqual([0, 2, 1]);
    channels.send(first!, Buffer.from('early'), true);
    channels.message(0, control, ack);
    channels.send(first!, Buffer.from('later'), false);
    channels.send(first!, Buffer.alloc(0), false);
    expect(sent.filter(({ id }) => id === 0)).toEqual([
      { id: 0, protocol: 50, ordered: true },
      { id: 0, protocol: 53, ordered: true },
      { id: 0, protocol: 51, ordered: false },
      { id: 0, protocol: 56, ordered: false },
    ]);
    expect(events).toEqual(['open a']);
    expect(channels.send(first!, Buffer.alloc(101), true)).toBe(false);
  });

  test('the peer opens a channel, and each kind of message arrives as what it is', () => {
    const { channels, sent, events } = bench();
    channels.message(1, control, request('x'));
    for (const protocol of [51, 53, 56, 57, 52, 99]) channels.message(1, protocol, Buffer.from('m'));
    expect(sent).toEqual([{ id: 1, protocol: 50, ordered: true }]);
    expect(events).toEqual(['open x', 'x: text m', 'x: binary m', 'x: text ', 'x: binary ']);
  });

  test.each([
    ['too short', request('x').subarray(0, 11)],
    ['shorter than its label says', request('x').subarray(0, 12)],
    ['of an unknown type', Buffer.from(request('x').fill(7, 1, 2))],
    ['with a label of 257 bytes', Buffer.concat([request('').fill(1, 8, 10), Buffer.alloc(300)])],
  ])('a request %s resets its stream, and other channels stay', (_name, message) => {
    const { channels, resets, events } = bench();
    channels.message(3, control, request('good'));
    channels.message(1, control, message);
    channels.message(1, 51, Buffer.from('dropped'));
    channels.message(3, 51, Buffer.from('kept'));
    expect(resets).toEqual([1]);
    expect(events).toEqual(['open good', 'good: text kept']);
    channels.outgoingReset(1);
    channels.incomingReset([1]);
    channels.message(1, control, request('second try'));
    expect(events.at(-1)).toBe('open second try');
  });

  test('a second request on the stream of a channel closes that channel', () => {
    const { channels, resets, events } = bench();
    const own = channels.open('own', { ordered: true });
    channels.message(0, control, ack);
    channels.message(0, control, request('theirs'));
    expect([resets, own.isOpen]).toEqual([[0], false]);
    channels.outgoingReset(0);
    expect(events).toEqual(['open own', 'closed own']);
  });

  test('a reset of all streams by the peer closes all channels once, and their ids are free', () => {
    const { channels, resets, events } = bench();
    channels.open('a', { ordered: true });
    channels.message(1, control, request('b'));
    channels.incomingReset([]);
    for (const id of resets) channels.outgoingReset(id);
    expect(resets).toEqual([0, 1]);
    expect(events.toSorted()).toEqual(['closed a', 'closed b', 'open b']);
    expect(channels.open('c', { ordered: true }).id).toBe(0);
  });

  test('channels beyond the streams of the peer close when the association connects', () => {
    const { channels, events } = bench();
    for (let index = 0; index < 3; index++) channels.open(`c${index}`, { ordered: true });
    channels.connected(3, 65_535);
    expect(events).toEqual(['closed c2']);
    channels.closeAll();
    expect(events).toEqual(['closed c2', 'closed c0', 'closed c1']);
    expect(() => channels.open('x'.repeat(257), { ordered: true })).toThrow(RangeError);
  });

  test('a request keeps its limits on the wire', () => {
    for (const limits of [{}, { maxRetransmits: 7 }, { maxLifetimeMs: 4_000_000_000 }]) {
      const open = { label: 'ä', protocol: 'p', ordered: false, ...limits };
      expect(readOpen(writeOpen(open))).toEqual(open);
    }
  });
});

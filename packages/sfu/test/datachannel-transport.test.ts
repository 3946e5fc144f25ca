import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PeerConnection, Video } from 'node-datachannel';
import { expect, it } from 'vitest';
import { readClientDescription } from '../src/sdp/description.ts';
import type { Log } from '../src/options.ts';
import { candidates } from '../src/transport/addresses.ts';
import { freeUdpPort } from '../src/transport/held-port.ts';
import { DatachannelTransport } from '../src/transport/datachannel-transport.ts';
import { until } from './support/engine.ts';

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** A transport and its connected peer, which has sent a message on both channels. */
async function connectedPair(udpPort: number, log: Log = () => undefined) {
  const seen = { connected: false, closed: false, data: 0, throws: false };
  const transport = new DatachannelTransport(
    'test',
    { udpPort, log },
    {
      handleConnected: () => (seen.connected = true),
      handleClosed: () => (seen.closed = true),
      handleRtp: () => undefined,
      handleRtcp: () => undefined,
      handleData: () => {
        if (seen.throws) throw new Error('a fault');
        seen.data += 1;
      },
    },
  );
  const peer = new PeerConnection('peer', { iceServers: [], disableAutoNegotiation: true });
  const media = new Video('0', 'SendRecv');
  media.addVP8Codec(96);
  media.addSSRC(1, 'peer');
  peer.addTrack(media);
  const channel = peer.createDataChannel('_reliable');
  peer.setLocalDescription('offer');
  const local = transport.accept(readClientDescription(peer.localDescription()?.sdp ?? '').peer);
  const [candidate] = candidates(udpPort);
  const common = [
    'c=IN IP4 0.0.0.0',
    `a=ice-ufrag:${local.iceUfrag}`,
    `a=ice-pwd:${local.icePwd}`,
    `a=fingerprint:sha-256 ${local.fingerprint}`,
    `a=setup:${local.setup}`,
    `a=candidate:1 1 UDP ${candidate!.priority} ${candidate!.address} ${udpPort} typ host`,
  ];
  peer.setRemoteDescription(
    [
      'v=0',
      'o=- 1 1 IN IP4 127.0.0.1',
      's=-',
      't=0 0',
      'a=group:BUNDLE 0 1',
      'm=video 9 UDP/TLS/RTP/SAVPF 96',
      ...common,
      'a=mid:0',
      'a=sendrecv',
      'a=rtcp-mux',
      'a=rtpmap:96 VP8/90000',
      'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
      ...common,
      'a=mid:1',
      'a=sctp-port:5000',
      '',
    ].join('\r\n'),
    'answer',
  );
  await until('connected', () => seen.connected && channel.isOpen());
  channel.sendMessageBinary(Buffer.from('hello'));
  await until('data came', () => seen.data > 0);
  return { transport, peer, channel, seen };
}

it.each(['this side', 'the other side'])(
  'releases everything when %s closes: the native side keeps its callbacks until it is notified',
  async (who) => {
    const udpPort = await freeUdpPort();
    const closed = async (): Promise<WeakRef<DatachannelTransport>> => {
      const { transport, peer, seen } = await connectedPair(udpPort);
      if (who === 'this side') transport.close();
      peer.close();
      if (who === 'the other side') await until('it is noticed', () => seen.closed);
      return new WeakRef(transport);
    };
    const left = await Promise.all([closed(), closed(), closed()]);
    const held = (): number => left.filter((transport) => transport.deref() !== undefined).length;
    await until(
      'all are collected',
      () => {
        collectGarbage();
        return held() === 0;
      },
      5_000,
    );
    expect(held()).toBe(0);
  },
);

it('logs errors in handling a message and continues: in the native side they would end the process', async () => {
  const logged: string[] = [];
  const { transport, peer, channel, seen } = await connectedPair(await freeUdpPort(), (_level, message, fields) =>
    logged.push(`${message}: ${String(fields['error'])}`),
  );
  seen.throws = true;
  channel.sendMessageBinary(Buffer.from('again'));
  await until('it is logged', () =>
    logged.some((line) => line.startsWith('data message could not be handled: Error: a fault\n')),
  );
  seen.throws = false;
  channel.sendMessageBinary(Buffer.from('and again'));
  await until('the next message comes', () => seen.data === 2);
  expect(seen.closed).toBe(false);
  transport.close();
  peer.close();
});

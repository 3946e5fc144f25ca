import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { extensionUris, isSending, type LocalSide, SdpError, usableFormats, writeDescription } from '@rmeet/rtp/sdp';
import { candidateText } from '../src/transport/addresses.ts';
import { readClientDescription } from '../src/sdp/description.ts';
import { answerSection } from '../src/sdp/answer.ts';

/** Offers recorded from livekit-client 2.23.0 in Chromium 156 and Firefox 153. */
const offer = (name: string, browser = 'chromium') =>
  readFileSync(join(import.meta.dirname, 'fixtures', `${browser}-${name}.sdp`), 'utf8');

const local: LocalSide = {
  parameters: { iceUfrag: 'ufrag', icePwd: 'a-password-of-22-chars', fingerprint: 'AA:BB', setup: 'active' },
  candidates: [
    { protocol: 'udp' as const, address: '192.0.2.7', port: 7882, priority: 2_130_706_431 },
    { protocol: 'udp' as const, address: 'fd00::7', port: 7882, priority: 2_130_706_175 },
  ].map(candidateText),
  sessionId: 1,
  sessionVersion: 2,
  maxMessageBytes: 65_536,
};
const stream = { ssrc: 4242, rtxSsrc: 4243, streamId: 'PA_a|camera', trackId: 'TR_VCabc', cname: 'PA_a' };

describe("Chromium's offers", () => {
  it('of a client with one peer connection: places to receive in, and data', () => {
    const { peer, sections } = readClientDescription(offer('v1-first'));
    expect(peer.fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    expect(peer.setup).toBe('actpass');
    expect(sections.map(({ kind, direction }) => `${kind} ${direction}`)).toEqual([
      ...Array.from({ length: 3 }, () => 'audio recvonly'),
      ...Array.from({ length: 3 }, () => 'video recvonly'),
      'application sendrecv',
    ]);
    expect(
      usableFormats(sections[3]!)
        .map(({ codec }) => codec)
        .toSorted(),
    ).toEqual(['av1', 'h264', 'vp8', 'vp9']);
    const h264 = usableFormats(sections[3]!, 'h264')[0]!;
    expect(h264.codec).toBe('h264');
    expect(h264.parameters).toMatch(/packetization-mode=1.*profile-level-id=42e0/);
  });

  it.each(['v1-publish', 'v0-publish'])('%s: a microphone and a camera in three layers', (name) => {
    const sending = readClientDescription(offer(name)).sections.filter(isSending);
    expect(sending.map(({ kind }) => kind)).toEqual(['audio', 'video']);
    expect(sending[1]).toMatchObject({ rids: ['q', 'h', 'f'], simulcast: 'q;h;f' });
    expect(sending.every(({ trackId }) => /^[0-9a-f-]{36}$/.test(trackId ?? ''))).toBe(true);
  });
});

describe("Firefox's offers", () => {
  it.each(['v1-publish', 'v0-publish'])(
    '%s: a microphone and a camera in three layers, whose tracks are named in braces',
    (name) => {
      const sending = readClientDescription(offer(name, 'firefox')).sections.filter(isSending);
      expect(sending.map(({ kind }) => kind)).toEqual(['audio', 'video']);
      expect(sending[1]).toMatchObject({ rids: ['q', 'h', 'f'], simulcast: 'q;h;f' });
      expect(sending.every(({ trackId }) => /^\{[0-9a-f-]{36}\}$/.test(trackId ?? ''))).toBe(true);
      const answer = answerSection(sending[1]!, { receives: { codec: 'vp8', dtx: true, red: false, stereo: false } });
      expect(answer).toMatchObject({ direction: 'recvonly', simulcast: { rids: ['q', 'h', 'f'], streams: 'q;h;f' } });
    },
  );
});

describe('the track of a section (RFC 8830)', () => {
  const sending = (...lines: string[]) => {
    const text = offer('v0-publish', 'firefox').replace(/a=msid:\{.*\r\n/, lines.map((line) => `${line}\r\n`).join(''));
    return readClientDescription(text).sections.findLast(isSending);
  };
  it.each([
    [['a=msid:- {81fc219c}'], '{81fc219c}'],
    [["a=msid:a!#$%&'*+.^_`|~ b"], 'b'],
    [['a=msid:stream'], undefined],
    [['a=msid:one', 'a=msid:two track'], 'track'],
    [['a=msid:one track', 'a=msid:two track'], 'track'],
    [[`a=msid:one ${'t'.repeat(65)}`], undefined],
    [[], undefined],
  ])('%j', (lines, trackId) => {
    const section = sending(...lines);
    expect([section?.kind, section?.trackId]).toEqual(['video', trackId]);
  });
});

describe('answers', () => {
  const { sections } = readClientDescription(offer('v1-publish'));
  const written = sections.map((section) => {
    if (isSending(section))
      return answerSection(section, {
        receives: { codec: section.kind === 'video' ? 'vp8' : 'opus', dtx: true, red: true, stereo: true },
      });
    return answerSection(section, section.mid === '3' ? { sends: { codec: 'av1', stream } } : {});
  });
  const text = writeDescription(local, written);
  const parts = text.split('\r\nm=').slice(1);
  const part = (mid: string) => parts.find((candidate) => candidate.includes(`\r\na=mid:${mid}\r\n`)) ?? '';
  const [audio, video] = sections.filter(isSending);

  it('have one section for each of the offer, in order, all in the bundle', () => {
    expect(parts).toHaveLength(sections.length);
    expect(/a=group:BUNDLE (.*)/.exec(text)?.[1]).toBe(sections.map(({ mid }) => mid).join(' '));
    expect(text.endsWith('\r\n')).toBe(true);
    expect(part('3')).toContain(
      'a=candidate:1 1 udp 2130706431 192.0.2.7 7882 typ host\r\na=candidate:2 1 udp 2130706175 fd00::7 7882 typ host',
    );
  });

  it('accept simulcast with the mid and rid extensions under the ids of the offer', () => {
    const answer = part(video!.mid);
    expect(answer).toContain('a=recvonly');
    expect(answer).toContain('a=rid:q recv\r\na=rid:h recv\r\na=rid:f recv\r\na=simulcast:recv q;h;f');
    for (const uri of [extensionUris.mid, extensionUris.rid]) {
      const id = video!.extensions.find((extension) => extension.uri === uri)?.id;
      expect(answer).toContain(`a=extmap:${id} ${uri}\r\n`);
    }
    expect(answer).not.toContain(extensionUris.dependencyDescriptor);
    expect(answer).toContain('a=rtpmap:97 rtx/90000\r\na=fmtp:97 apt=96\r\n');
    expect(answer).not.toMatch(/ red|ulpfec/i);
    expect(part(audio!.mid)).toMatch(/^audio 9 UDP\/TLS\/RTP\/SAVPF 63 111\r\n/);
  });

  it('allow discontinuous transmission and stereo for the microphone', () => {
    expect(part(audio!.mid)).toMatch(/a=fmtp:111 minptime=10;useinbandfec=1;usedtx=1;stereo=1\r\n/);
    expect(part(audio!.mid)).toContain(extensionUris.audioLevel);
    const mono = answerSection(audio!, { receives: { codec: 'opus', dtx: false, red: false, stereo: false } });
    expect(mono.formats.map(({ name, parameters }) => `${name} ${parameters}`)).toEqual([
      'opus minptime=10;useinbandfec=1',
    ]);
  });

  it('put a sent stream in its place, its codec first, with the descriptor its layers need', () => {
    const answer = part('3');
    expect(answer).toContain('a=sendonly');
    expect(answer).toContain('a=msid:PA_a|camera TR_VCabc\r\na=ssrc-group:FID 4242 4243\r\na=ssrc:4242 cname:PA_a');
    expect(answer).toContain('a=ssrc:4243 msid:PA_a|camera TR_VCabc');
    expect(answer).toContain(extensionUris.dependencyDescriptor);
    const first = /^video 9 UDP\/TLS\/RTP\/SAVPF (\d+)/.exec(answer)?.[1];
    expect(answer).toContain(`a=rtpmap:${first} AV1/90000`);
    expect(part('4')).toContain('a=inactive');
  });

  it('refuse a section without a usable codec, and leave it out of the bundle', () => {
    const section = {
      ...sections[0]!,
      formats: [{ payloadType: 8, name: 'PCMA', clockRate: 8000, channels: undefined, parameters: '' }],
    };
    const refused = writeDescription(local, [answerSection(section, {}), answerSection(sections[1]!, {})]);
    expect(refused).toContain(`m=audio 0 UDP/TLS/RTP/SAVPF 8\r\n`);
    expect(/a=group:BUNDLE (.*)/.exec(refused)?.[1]).toBe(sections[1]!.mid);
  });
});

describe('descriptions the engine cannot use', () => {
  const whole = offer('v1-publish');
  it.each([
    ['empty', ''],
    ['no sections', 'v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n'],
    ['no fingerprint', whole.replaceAll(/a=fingerprint.*\r\n/g, '')],
    ['weak fingerprint', whole.replaceAll('a=fingerprint:sha-256', 'a=fingerprint:sha-1')],
    ['no ice-pwd', whole.replaceAll(/a=ice-pwd.*\r\n/g, '')],
    ['bad ufrag', whole.replaceAll(/a=ice-ufrag:.*\r\n/g, 'a=ice-ufrag:a b\r\n')],
    ['unknown media', whole.replaceAll('m=audio', 'm=text')],
    ['huge', `${whole}${'a=x:y\r\n'.repeat(100_000)}`],
    ['too many sections', whole + whole.slice(whole.indexOf('m=')).repeat(80)],
  ])('%s', (_name, text) => {
    expect(() => readClientDescription(text)).toThrow(SdpError);
  });

  it.each(['chromium', 'firefox'])('mutated 500 times gives an answer or an SdpError, nothing else: %s', (browser) => {
    const recorded = offer('v1-publish', browser);
    let random = 7;
    const next = (below: number) => {
      random = (random * 1_103_515_245 + 12_345) & 0x7fffffff;
      return (random >> 8) % below;
    };
    const others: unknown[] = [];
    for (let round = 0; round < 500; round += 1) {
      const at = next(recorded.length);
      const text = recorded.slice(0, at) + String.fromCharCode(next(127)) + recorded.slice(at + next(60));
      try {
        const { sections } = readClientDescription(text);
        writeDescription(
          local,
          sections.map((section) => answerSection(section, {})),
        );
      } catch (error) {
        if (!(error instanceof SdpError)) others.push(error);
      }
    }
    expect(others).toEqual([]);
  });
});

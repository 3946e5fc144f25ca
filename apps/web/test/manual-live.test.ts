import { contract, type IngestStatus, type ManualLive } from '@rmeet/contract';
import { describe, expect, test, vi } from 'vitest';
import { arrivalOf, bitrateWords, reasonWords, shortFacts, sizeName } from '../src/features/live/manual/arrival.ts';
import { MemoryStorage } from './support.ts';

vi.stubGlobal('location', { pathname: '/', origin: 'https://meet.example', hash: '' });
vi.stubGlobal('sessionStorage', new MemoryStorage());
vi.stubGlobal('localStorage', new MemoryStorage());
const { changeBody, createBody, faultsOf, isChanged, manualDraftOf, newManual } =
  await import('../src/features/live/manual/draft.ts');

const words = ((key: string, values?: object) => (values ? `${key} ${JSON.stringify(values)}` : key)) as never;
const { records } = contract.manualLives.query.example.data as { records: [ManualLive] };
const [example] = records;
const arriving = example.ingest as IngestStatus;

/** The broadcast with a part of what arrives changed. */
const withIngest = (part: Partial<IngestStatus>, other: Partial<ManualLive> = {}): ManualLive => ({
  ...example,
  ...other,
  ingest: { ...arriving, ...part },
});

describe('what arrives', () => {
  test('is said by the source, and is alarming only where it should arrive', () => {
    const nothing = { state: 'waiting' as const };
    const cases = [
      withIngest({}),
      withIngest({}, { source: 'play' }),
      withIngest(nothing, { state: 'scheduled' }),
      withIngest(nothing, { state: 'scheduled', source: 'play' }),
      withIngest(nothing, { state: 'paused' }),
      withIngest(nothing, { state: 'onAir' }),
      withIngest({ state: 'refused', reason: 'codec:hvc1' }, { state: 'scheduled' }),
      withIngest({ state: 'lost', reason: 'ECONNREFUSED' }, { source: 'play', state: 'scheduled' }),
    ];
    expect(cases.map((one) => arrivalOf(one, words))).toEqual([
      { tone: 'arriving', words: 'arrival.push.arriving', reason: '' },
      { tone: 'arriving', words: 'arrival.play.arriving', reason: '' },
      { tone: 'idle', words: 'arrival.push.waiting', reason: '' },
      { tone: 'idle', words: 'arrival.play.waiting', reason: '' },
      { tone: 'idle', words: 'arrival.push.waiting', reason: '' },
      { tone: 'wanted', words: 'arrival.interrupted', reason: '' },
      { tone: 'wanted', words: 'arrival.push.refused', reason: 'reason.codec {"codec":"H.265"}' },
      { tone: 'wanted', words: 'arrival.play.lost', reason: 'reason.unreachable' },
    ]);
  });

  test('is not said after the end, nor to people who do not manage the broadcast', () => {
    expect(arrivalOf({ ...example, state: 'ended' }, words)).toBeNull();
    expect(arrivalOf({ ...example, ingest: null }, words)).toBeNull();
  });

  test('has its size, bit rate and what is missing', () => {
    expect(shortFacts(arriving, words)).toEqual(['1080p', '4.2 Mbit/s']);
    expect(shortFacts({ ...arriving, width: null, height: null, hasSound: false, bitrate: 0 }, words)).toEqual([
      'arrival.noPicture',
      'arrival.noSound',
    ]);
    expect(sizeName({ width: 720, height: 1280 })).toBe('720p');
    expect([0, 96, 999, 1_000, 4_260].map(bitrateWords)).toEqual([
      '',
      '96 kbit/s',
      '999 kbit/s',
      '1.0 Mbit/s',
      '4.3 Mbit/s',
    ]);
  });

  test('has a reason in words, and one that is not known as it is', () => {
    expect(
      ['', 'sound', 'picture', 'codec:av01', 'codec:xyz1', 'getaddrinfo ENOTFOUND cam.example', 'NetStream.Odd'].map(
        (reason) => reasonWords(reason, words),
      ),
    ).toEqual([
      '',
      'reason.sound',
      'reason.picture',
      'reason.codec {"codec":"AV1"}',
      'reason.codec {"codec":"xyz1"}',
      'reason.host',
      'NetStream.Odd',
    ]);
  });
});

describe('the form of a broadcast of an outside stream', () => {
  const draft = newManual(new Date('2026-11-20T09:01:00.000Z'));

  test('begins with the next quarter of an hour, and without a replay', () => {
    expect(draft).toMatchObject({ startTime: '2026-11-20T09:15:00.000Z', source: 'push', startsItself: true });
    expect(createBody({ ...draft, subject: ' Town hall ' })).toMatchObject({
      subject: 'Town hall',
      live: { replay: false },
    });
  });

  test('names each field that is wrong', () => {
    expect(faultsOf({ ...draft, subject: 'Town hall' })).toEqual({});
    expect(faultsOf({ ...draft, startTime: null, duration: 4, source: 'play' })).toEqual({
      subject: 'subject',
      startTime: 'startTime',
      duration: 'duration',
      playAddress: 'playMissing',
    });
    const wrong = { ...draft, subject: 'Town hall', source: 'play' as const, playAddress: 'http://example.org/a' };
    expect(faultsOf({ ...wrong, live: { ...draft.live, access: 'password' } })).toEqual({
      playAddress: 'playWrong',
      live: 'password',
    });
  });

  test('sends an address only for its source, and of an edit only what was changed', () => {
    const address = 'rtmp://cam.example.org/live/hall';
    expect(createBody({ ...draft, playAddress: address })).not.toHaveProperty('playAddress');
    expect(createBody({ ...draft, source: 'play', playAddress: address })).toMatchObject({ playAddress: address });
    const before = manualDraftOf(example);
    expect(isChanged(before, { ...before })).toBe(false);
    expect(changeBody(before, { ...before })).toEqual({});
    expect(changeBody(before, { ...before, source: 'play', playAddress: address })).toEqual({
      source: 'play',
      playAddress: address,
    });
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AddTrackRequest, TrackSource, TrackType } from '@livekit/protocol';
import { describe, expect, it } from 'vitest';
import { isSending, type MediaSection } from '@rmeet/rtp/sdp';
import { readClientDescription } from '../src/sdp/description.ts';
import { Counters } from '../src/counters.ts';
import { SubscriptionRules } from '../src/tracks/subscription-rules.ts';
import { Publications } from '../src/tracks/publications.ts';

/** The sending sections of an offer recorded from a browser. */
function sendingSections(name: string): MediaSection[] {
  return readClientDescription(
    readFileSync(join(import.meta.dirname, 'fixtures', `${name}.sdp`), 'utf8'),
  ).sections.filter(isSending);
}

/** The microphone's section of an offer recorded from Chromium. */
function microphoneSection(): MediaSection {
  const section = sendingSections('chromium-v1-publish').find(({ kind }) => kind === 'audio');
  if (!section) throw new Error('the fixture has no microphone');
  return section;
}

function publisher() {
  const refused: string[] = [];
  const participant = { sid: 'PA_1', identity: 'alice', rules: new SubscriptionRules(), send: () => undefined };
  const feedback = { requestKeyframe: () => undefined, requestPackets: () => undefined };
  const handler = {
    handlePublished: () => undefined,
    handleUnpublished: () => undefined,
    handleCodecChanged: () => undefined,
    handleRefused: ({ mid }: MediaSection, reason: string) => refused.push(`${mid} ${reason}`),
  };
  const counters = new Counters();
  return { publications: new Publications(participant, 8, feedback, handler, counters), refused, counters };
}

describe('a track withdrawn and announced again before its first section has gone', () => {
  const first = microphoneSection();
  const gone: MediaSection = { ...first, direction: 'inactive' };
  const second: MediaSection = { ...first, mid: '9', ssrcs: [1] };

  it.each<[string, MediaSection[][]]>([
    ['in one offer with the first one’s end', [[gone, second]]],
    ['in an offer after the one that ends the first', [[gone], [gone, second]]],
    ['after an offer made for something else', [[first], [gone, second]]],
    ['after an offer made for something else, and one that ends the first', [[first], [gone], [gone, second]]],
  ])('is bound to the section that follows, %s', (_, offers) => {
    const { publications } = publisher();
    const announced = () =>
      publications.add(
        new AddTrackRequest({ cid: first.trackId ?? '', type: TrackType.AUDIO, source: TrackSource.MICROPHONE }),
      );
    const withdrawn = announced();
    publications.handleSections([first]);
    if (withdrawn) publications.unpublish(withdrawn);
    const again = announced();
    publications.bindWaiting();
    expect(publications.published).toEqual([]);
    const bound = offers.map((offer) => publications.handleSections(offer)).at(-1);
    expect([...(bound ?? [])].map(([mid, { publication }]) => [mid, publication])).toEqual([['9', again]]);
    expect(publications.published).toEqual([again]);
    expect(again?.info.mid).toBe('9');
    publications.handleSections([]);
    expect(publications.all).toEqual([]);
  });
});

const layers = [
  { quality: 0, rid: 'q' },
  { quality: 1, rid: 'h' },
  { quality: 2, rid: 'f' },
];
const announcements = {
  microphone: { cid: '{microphone}', type: TrackType.AUDIO, source: TrackSource.MICROPHONE },
  camera: { cid: '{camera}', type: TrackType.VIDEO, source: TrackSource.CAMERA, layers },
  screen: { cid: '{screen}', type: TrackType.VIDEO, source: TrackSource.SCREEN_SHARE },
};
type Announced = keyof typeof announcements;

describe("Firefox's sections, whose track ids are not those announced", () => {
  const announce = (publications: Publications, names: Announced[]) =>
    new Map(names.map((name) => [publications.add(new AddTrackRequest(announcements[name])), name]));

  it.each(['firefox-v1-publish', 'firefox-v0-publish'])('%s: microphone and camera are bound by their kind', (name) => {
    const { publications, refused } = publisher();
    const announced = announce(publications, ['microphone', 'camera']);
    const sections = sendingSections(name);
    const bound = publications.handleSections(sections);
    expect(sections.map(({ mid, kind }) => [kind, announced.get(bound.get(mid)?.publication)])).toEqual([
      ['audio', 'microphone'],
      ['video', 'camera'],
    ]);
    expect(refused).toEqual([]);
  });

  it('a camera and a screen in one offer are not confused, in either order', () => {
    const camera = sendingSections('firefox-v1-publish').find(({ kind }) => kind === 'video')!;
    const screen: MediaSection = { ...camera, mid: '20', trackId: undefined, rids: [], simulcast: undefined };
    for (const order of [
      [camera, screen],
      [screen, camera],
    ]) {
      const { publications } = publisher();
      const announced = announce(publications, ['camera', 'screen']);
      const bound = publications.handleSections(order);
      expect([camera, screen].map(({ mid }) => announced.get(bound.get(mid)?.publication))).toEqual([
        'camera',
        'screen',
      ]);
    }
  });

  it('a section that names its track gets it, even after one without a name', () => {
    const first = sendingSections('firefox-v1-publish').find(({ kind }) => kind === 'audio');
    const { publications } = publisher();
    publications.add(new AddTrackRequest({ ...announcements.microphone, cid: 'one' }));
    publications.add(new AddTrackRequest({ ...announcements.microphone, cid: 'two' }));
    const bound = publications.handleSections([
      { ...first!, mid: 'a', trackId: undefined },
      { ...first!, mid: 'b', trackId: 'one' },
    ]);
    expect([bound.get('a')?.publication.cid, bound.get('b')?.publication.cid]).toEqual(['two', 'one']);
  });
});

describe('a track with a backup codec', () => {
  const camera = sendingSections('chromium-v1-publish').find(({ kind }) => kind === 'video')!;
  const simulcastCodecs = [{ codec: 'h264', cid: camera.trackId! }, { codec: 'vp8' }];
  const announced = { ...announcements.camera, cid: camera.trackId!, simulcastCodecs };
  const second: MediaSection = { ...camera, mid: '9', trackId: 'clone', ssrcs: [1] };

  it('is bound to two sections, each in its codec, and the second one comes and goes alone', () => {
    const { publications, refused } = publisher();
    const publication = publications.add(new AddTrackRequest(announced))!;
    publications.handleSections([camera]);
    expect(publication.info.codecs.map(({ mimeType }) => mimeType)).toEqual(['video/H264', 'video/VP8']);
    expect(publications.add(new AddTrackRequest({ sid: publication.sid, cid: 'clone' }))).toBe(publication);
    const bound = publications.handleSections([camera, second]);
    expect([camera, second].map(({ mid }) => bound.get(mid)?.track.codec)).toEqual(['h264', 'vp8']);
    expect(publication.info.mid).toBe(camera.mid);
    publications.handleSections([camera]);
    expect(publications.published).toEqual([publication]);
    expect(publications.add(new AddTrackRequest({ sid: publication.sid, cid: 'clone' }))).toBe(publication);
    publications.handleSections([]);
    expect(publications.all).toEqual([]);
    expect(refused).toEqual([]);
  });

  it.each([
    ['the track has none', { ...announced, simulcastCodecs: simulcastCodecs.slice(0, 1) }, 'clone'],
    ['it names the track of the first codec', announced, camera.trackId!],
  ])('is refused if %s', (_, request, cid) => {
    const { publications } = publisher();
    const publication = publications.add(new AddTrackRequest(request))!;
    publications.handleSections([camera]);
    expect(publications.add(new AddTrackRequest({ sid: publication.sid, cid }))).toBeUndefined();
    expect(publications.add(new AddTrackRequest({ sid: 'TR_VCunknown', cid: 'clone' }))).toBeUndefined();
  });
});

describe('a section whose media are dropped', () => {
  it('is counted and logged once, with the reason, and bound when its track is announced', () => {
    const { publications, refused, counters } = publisher();
    const section = microphoneSection();
    const unusable: MediaSection = { ...section, mid: '30', formats: [] };
    publications.handleSections([section, unusable]);
    publications.handleSections([section, unusable]);
    expect(refused).toEqual([`${section.mid} no track announced`, '30 no usable codec']);
    expect(counters.sectionsRefused).toBe(2);
    publications.add(
      new AddTrackRequest({ cid: section.trackId ?? '', type: TrackType.AUDIO, source: TrackSource.MICROPHONE }),
    );
    publications.bindWaiting();
    expect(publications.published.map(({ info }) => info.mid)).toEqual([section.mid]);
  });
});

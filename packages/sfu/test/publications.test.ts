import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AddTrackRequest, TrackSource, TrackType } from '@livekit/protocol';
import { describe, expect, it } from 'vitest';
import { Counters } from '../src/metrics.ts';
import type { Participant } from '../src/rooms/participant.ts';
import { Publications } from '../src/rooms/publications.ts';
import { isSending, readDescription, type MediaSection } from '../src/sdp/description.ts';

/** The microphone's section of an offer recorded from Chromium. */
function microphoneSection(): MediaSection {
  const { sections } = readDescription(readFileSync(join(import.meta.dirname, 'fixtures', 'chromium-v1-publish.sdp'), 'utf8'));
  const section = sections.find((each) => isSending(each) && each.kind === 'audio');
  if (!section) throw new Error('the fixture has no microphone');
  return section;
}

function publisher() {
  const participant = { room: { settings: { admission: { capacity: { tracksPerParticipant: 8 } } } } } as unknown;
  const feedback = { requestKeyframe: () => undefined, requestPackets: () => undefined };
  const handler = { handlePublished: () => undefined, handleUnpublished: () => undefined, handleCodecChanged: () => undefined };
  return { publications: new Publications(participant as Participant, feedback, handler, new Counters()) };
}

describe('a track withdrawn and announced anew before its first section has gone', () => {
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
    const announced = () => publications.add(new AddTrackRequest({ cid: first.trackId ?? '', type: TrackType.AUDIO, source: TrackSource.MICROPHONE }));
    const withdrawn = announced();
    publications.handleSections([first]);
    if (withdrawn) publications.unpublish(withdrawn);
    const again = announced();
    publications.bindWaiting();
    expect(publications.published).toEqual([]);
    const bound = offers.map((offer) => publications.handleSections(offer)).at(-1);
    expect([...(bound ?? [])]).toEqual([['9', again]]);
    expect(publications.published).toEqual([again]);
    expect(again?.info.mid).toBe('9');
    publications.handleSections([]);
    expect(publications.all).toEqual([]);
  });
});

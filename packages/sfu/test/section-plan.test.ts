import { describe, expect, it } from 'vitest';
import type { MediaSection } from '@rmeet/rtp/sdp';
import { SectionPlan } from '../src/connection/section-plan.ts';
import type { Subscription } from '../src/tracks/subscription.ts';

function section(
  mid: string,
  kind: 'audio' | 'video',
  direction: MediaSection['direction'] = 'recvonly',
): MediaSection {
  return {
    mid,
    kind,
    direction,
    protocol: 'UDP/TLS/RTP/SAVPF',
    alive: true,
    formats: [],
    extensions: [],
    streamId: undefined,
    trackId: undefined,
    rids: [],
    simulcast: undefined,
    ssrcs: [],
    repeats: new Map(),
  };
}

/** Only the fields used by the plan. */
function subscription(isVideo: boolean): Subscription {
  return { publication: { isVideo }, mid: undefined } as unknown as Subscription;
}

/** Like the connection: returns the sections and stores the mids. */
function assign(
  plan: SectionPlan,
  sections: MediaSection[],
  subscriptions: Subscription[],
): Record<string, Subscription> {
  const used = plan.assign(sections, subscriptions);
  for (const [mid, carried] of used) carried.mid = mid;
  return Object.fromEntries(used);
}

describe('sections of one peer connection', () => {
  const sections = [section('0', 'audio'), section('1', 'video'), section('2', 'video', 'sendonly')];

  it('are assigned to waiting subscriptions of their kind, and missing ones are requested', () => {
    const plan = new SectionPlan();
    const [audio, first, second] = [subscription(false), subscription(true), subscription(true)];
    expect(plan.isStale([audio, first])).toBe(true);
    expect(assign(plan, sections, [first, audio, second])).toEqual({ 0: audio, 1: first });
    expect(plan.isStale([first, audio, second])).toBe(true);
    expect(plan.needed([first, audio, second])).toEqual({ audios: 0, videos: 1 });
    expect(assign(plan, [...sections, section('3', 'video')], [first, audio, second])).toEqual({
      0: audio,
      1: first,
      3: second,
    });
    expect(plan.isStale([first, audio, second])).toBe(false);
  });

  it('rest for one round before another stream uses them', () => {
    const plan = new SectionPlan();
    const [old, next] = [subscription(true), subscription(true)];
    assign(plan, sections, [old]);
    expect(plan.isStale([next])).toBe(true);
    expect(assign(plan, sections, [next])).toEqual({});
    expect(plan.needed([next])).toEqual({ audios: 0, videos: 0 });
    expect(assign(plan, sections, [next])).toEqual({ 1: next });
  });

  it('of one kind do not count for the other', () => {
    const plan = new SectionPlan();
    assign(plan, [section('0', 'audio'), section('1', 'audio')], []);
    expect(plan.needed([subscription(true), subscription(false)])).toEqual({ audios: 0, videos: 1 });
  });
});

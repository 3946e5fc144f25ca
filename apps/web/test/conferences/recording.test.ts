import type { ConferenceRecording } from '@rmeet/conference';
import { describe, expect, it } from 'vitest';
import { recordingNews, turnOf } from '../../src/features/conferences/recording/news.ts';
import type { T } from '../../src/features/conferences/recording/texts.ts';

const t = ((key: string, values?: { reason: string }) => (values ? `${key}(${values.reason})` : key)) as unknown as T;
const recording = (part: Partial<ConferenceRecording> = {}): ConferenceRecording => ({
  id: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2dff',
  status: 'RECORDING',
  trouble: null,
  isSpaceLow: false,
  startedAt: '2026-11-26T09:00:00.000Z',
  ...part,
});
const news = (before: ConferenceRecording | null | undefined, after: ConferenceRecording | null, mayRecord = false) =>
  recordingNews(before, after, { mayRecord, t });

describe('notices about a recording', () => {
  it('a start has one notice, before anything is stored', () => {
    expect(news(null, recording({ status: 'STARTING' }))).toEqual(['told.started']);
    expect(news(recording({ status: 'STARTING' }), recording())).toEqual([]);
    expect(news(recording({ status: 'STOPPED' }), recording({ status: 'STARTING' }))).toEqual(['told.started']);
  });

  it('a person who comes in learns of a recording that runs or is paused, and of nothing that is over', () => {
    expect(news(undefined, recording())).toEqual(['told.started']);
    expect(news(undefined, recording({ status: 'PAUSED' }))).toEqual(['told.paused']);
    expect(news(undefined, null)).toEqual([]);
    expect(news(undefined, recording({ status: 'STOPPED' }))).toEqual([]);
    expect(news(undefined, recording({ status: 'FAILED', trouble: 'noRecorder' }))).toEqual([]);
  });

  it('pause, resume and stop have notices for all', () => {
    const paused = recording({ status: 'PAUSED' });
    expect(news(recording(), paused)).toEqual(['told.paused']);
    expect(news(paused, recording({ status: 'STARTING' }))).toEqual(['told.resumed']);
    expect(news(paused, recording({ status: 'STOPPED' }))).toEqual(['told.stopped']);
  });

  it('only people who may record read why it paused or failed, and that space runs out', () => {
    const full = recording({ status: 'PAUSED', trouble: 'diskFull' });
    expect(news(recording(), full)).toEqual(['told.paused']);
    expect(news(recording(), full, true)).toEqual(['told.pausedBecause(trouble.diskFull)']);
    const failed = recording({ status: 'FAILED', trouble: 'noRecorder' });
    expect(news(recording(), failed)).toEqual(['told.failed']);
    expect(news(recording(), failed, true)).toEqual(['told.failedBecause(trouble.noRecorder)']);
    expect(news(recording(), recording({ isSpaceLow: true }))).toEqual([]);
    expect(news(recording(), recording({ isSpaceLow: true }), true)).toEqual(['spaceLow']);
  });

  it('start and end have a sound; pauses, and coming in, have none', () => {
    expect(turnOf(null, recording({ status: 'STARTING' }))).toBe('start');
    expect(turnOf(recording(), recording({ status: 'STOPPED' }))).toBe('stop');
    expect(turnOf(recording(), recording({ status: 'FAILED' }))).toBe('stop');
    expect(turnOf(recording(), recording({ status: 'PAUSED' }))).toBe(null);
    expect(turnOf(undefined, recording())).toBe(null);
  });
});

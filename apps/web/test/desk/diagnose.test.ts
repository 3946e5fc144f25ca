import type { MediaStream } from '@rmeet/contract';
import { describe, expect, test } from 'vitest';
import { CAUSES, diagnose } from '../../src/features/conferences/desk/model/diagnose.ts';
import { report, stream } from './support.ts';

const small = [{ rid: 'q', width: 320, height: 180, frames: 15, bitrate: 150_000, active: true }];
const down = stream({ direction: 'down', peer: 'bob', layers: [] });

const sound = (over: Partial<MediaStream>) =>
  stream({ source: 'microphone', width: null, height: null, layers: [], ...over });

describe('the diagnosis of a terminal', () => {
  test.each([
    ['nothing', report(), null],
    [
      'nothing comes through',
      report({ quality: 'lost' }),
      { cause: 'lost', severity: 'bad', value: null, remedy: null },
    ],
    [
      'its uplink loses 8 %',
      report({ streams: [stream({ loss: 8 })] }),
      { cause: 'lossUp', severity: 'bad', value: 8, remedy: { act: 'limitVideo', maxHeight: 360 } },
    ],
    [
      'the engine sees a loss the terminal does not',
      report({ streams: [stream(), stream({ end: 'engine', loss: 4.2 })] }),
      { cause: 'lossUp', severity: 'warning', value: 4, remedy: { act: 'limitVideo', maxHeight: 360 } },
    ],
    [
      'it sends 360 lines and loses',
      report({ streams: [stream({ height: 360, layers: [], loss: 9 })] }),
      { cause: 'lossUp', severity: 'bad', value: 9, remedy: { act: 'limitVideo', maxHeight: 180 } },
    ],
    [
      'it sends the smallest picture and loses',
      report({ streams: [stream({ height: 180, layers: small, loss: 9 })] }),
      { cause: 'lossUp', severity: 'bad', value: 9, remedy: { act: 'cameraOff' } },
    ],
    [
      'it sends sound alone and loses',
      report({ streams: [stream({ source: 'microphone', width: null, height: null, layers: [], loss: 9 })] }),
      { cause: 'lossUp', severity: 'bad', value: 9, remedy: null },
    ],
    [
      'its downlink loses',
      report({ streams: [stream(), { ...down, loss: 5 }] }),
      { cause: 'lossDown', severity: 'warning', value: 5, remedy: null },
    ],
    [
      'the encoder lacks bandwidth',
      report({ limitedBy: 'bandwidth', estimateUp: 400_000 }),
      { cause: 'narrowUp', severity: 'warning', value: 400, remedy: { act: 'limitVideo', maxHeight: 360 } },
    ],
    [
      'the downlink is narrow',
      report({ estimateDown: 200_000, streams: [stream(), down] }),
      { cause: 'narrowDown', severity: 'warning', value: 200, remedy: null },
    ],
    [
      'the processor is too slow',
      report({ limitedBy: 'cpu' }),
      { cause: 'processor', severity: 'warning', value: null, remedy: { act: 'limitVideo', maxHeight: 360 } },
    ],
    [
      'the camera gives no picture',
      report({ streams: [stream({ frames: 0, layers: [] })] }),
      { cause: 'noPicture', severity: 'warning', value: null, remedy: { act: 'cameraOff' } },
    ],
    ['the way is long', report({ roundTrip: 420 }), { cause: 'delay', severity: 'warning', value: 420, remedy: null }],
    [
      'little comes, because little is wanted',
      report({ estimateDown: 200_000, streams: [stream(), { ...down, bitrate: 120_000 }] }),
      null,
    ],
    [
      'little is sent, because little is wanted',
      report({ estimateUp: 200_000, streams: [stream({ layers: small, height: 180, bitrate: 110_000 })] }),
      null,
    ],
    ['the packets of a picture are spread', report({ streams: [stream({ jitter: 130 })] }), null],
    [
      'packets come unevenly',
      report({ streams: [sound({ jitter: 130 })] }),
      { cause: 'jitter', severity: 'bad', value: 130, remedy: null },
    ],
    [
      'the graver of two is reported',
      report({ limitedBy: 'cpu', streams: [stream(), sound({ jitter: 130 })] }),
      { cause: 'jitter', severity: 'bad', value: 130, remedy: null },
    ],
    ['no figures yet', report({ estimateUp: null, estimateDown: null, roundTrip: null, streams: [] }), null],
  ])('%s', (_what, told, expected) => {
    expect(diagnose(told)).toEqual(expected);
  });

  test('every cause is in the table above or in the texts', async () => {
    const { default: texts } = await import('../../src/features/conferences/desk/locales/en.json', {
      with: { type: 'json' },
    });
    for (const cause of CAUSES) expect([texts.cause[cause], texts.advice[cause]]).not.toContain(undefined);
  });
});

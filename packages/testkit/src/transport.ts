/** How media engines reach the wire: @rmeet/sfu's own way, or node-datachannel. */
export type TestTransport = 'native' | 'datachannel';

/**
 * The transport of the media engines of this run, from RMEET_TEST_TRANSPORT, as an option of @rmeet/sfu's `start`;
 * empty if the engine chooses.
 *
 * @throws Error for any other value, so that a misspelt one does not test the default in silence
 */
export function transportOption(): { transport?: TestTransport } {
  const wanted = process.env['RMEET_TEST_TRANSPORT'];
  if (wanted === undefined || wanted === '') return {};
  if (wanted === 'native' || wanted === 'datachannel') return { transport: wanted };
  throw new Error(`RMEET_TEST_TRANSPORT is native or datachannel, not ${wanted}`);
}

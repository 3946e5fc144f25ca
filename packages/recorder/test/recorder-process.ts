import { ConferenceRecorder, recoverSpool, type RecorderOptions } from '../src/index.ts';

/** Records in a process of its own, continuing what is in the spool, until it gets a message; then sends the index. */
const options = JSON.parse(process.argv[2]!) as Pick<
  RecorderOptions,
  'url' | 'credentials' | 'meetId' | 'folder' | 'index'
>;
const { index } = await recoverSpool(options.folder, options.index);
const recorder = await ConferenceRecorder.start({
  ...options,
  index,
  startsAt: Date.now(),
  withTracks: true,
  onFile: () => process.send!(recorder.index),
  onFirstPart: () => process.send!('records'),
});
const stop = async (): Promise<void> => {
  await recorder.stop();
  process.send!(recorder.index, () => process.exit(0));
};
process.once('message', () => void stop());

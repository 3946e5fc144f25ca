export { answerWithFile } from './download.ts';
export {
  addFile,
  findFile,
  findFiles,
  presentFile,
  removeFile,
  removeFilesOf,
  usageOfFiles,
  type FileSubject,
} from './files.ts';
export { defineFileJobs, sweepFiles, sweepSoon } from './sweep.ts';

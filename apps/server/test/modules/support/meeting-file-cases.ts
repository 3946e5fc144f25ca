import { all, byRight, named, type Case, type Setting } from './case-setting.ts';
import { storedDocument, storedFolder } from './meeting-files.ts';
import { accountOf } from './world.ts';

const host = ({ server }: Setting): string => server.people.get(accountOf('host'))?.id ?? '';
const newDocument = (setting: Setting): Promise<string> =>
  storedDocument(setting.server, setting.north, setting.world.meeting.meetId, host(setting));
const newFolder = (setting: Setting): Promise<string> =>
  storedFolder(setting.server, setting.north, setting.world.meeting.meetId, host(setting));
const onDocument =
  (body?: object) =>
  async (setting: Setting): Promise<{ params: { id: string }; body?: object }> => ({
    params: { id: await newDocument(setting) },
    ...(body ? { body } : {}),
  });

/** The calls of the files of meetings; part of cases.ts. The files are the host's. */
export function meetingFileCases(): Record<string, Case> {
  const sees = byRight('see');
  const manages = byRight('cancel');
  return {
    'meetingFiles.list': {
      expected: sees,
      args: async (setting) => ({
        query: { meetId: setting.world.meeting.meetId, folderId: await newFolder(setting) },
      }),
    },
    'meetingFiles.createFolder': {
      expected: { ...sees, stranger: 'FORBIDDEN' },
      args: ({ world }) => ({ body: { meetId: world.meeting.meetId, name: named('folder') } }),
    },
    'meetingFiles.renameFolder': {
      expected: manages,
      args: async (setting) => ({ params: { id: await newFolder(setting) }, body: { name: named('folder') } }),
    },
    'meetingFiles.removeFolder': {
      expected: manages,
      args: async (setting) => ({ params: { id: await newFolder(setting) } }),
    },
    'meetingFiles.startUpload': {
      expected: sees,
      args: ({ world }) => ({ body: { meetId: world.meeting.meetId, name: 'plan.txt', size: 12 } }),
    },
    'meetingFiles.change': { expected: manages, args: onDocument({ name: 'plan.txt' }) },
    'meetingFiles.remove': { expected: manages, args: onDocument() },
    'meetingFiles.versions': { expected: sees, args: onDocument() },
    'meetingFiles.preview': { expected: sees, args: onDocument() },
    'meetingFiles.shown': {
      expected: all,
      args: async (setting) => {
        const id = await newDocument(setting);
        const { url } = await setting.cast.host.meetingFiles.preview({ params: { id } });
        return { params: { sign: url.split('/').at(-1) } };
      },
    },
    'meetingFiles.downloadDic': {
      expected: sees,
      args: async (setting) => {
        await newDocument(setting);
        return { params: { id: setting.world.meeting.meetId } };
      },
    },
  };
}

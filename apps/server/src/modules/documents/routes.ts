import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { createOutput } from './output.ts';
import type { createPictures } from './pictures.ts';
import type { DocumentService } from './service.ts';
import type { createVersions } from './versions.ts';

interface Services {
  documents: DocumentService;
  pictures: ReturnType<typeof createPictures>;
  versions: ReturnType<typeof createVersions>;
  output: ReturnType<typeof createOutput>;
}

export const documentRoutes = ({
  documents,
  pictures,
  versions,
  output,
}: Services): Handlers<typeof contract.documents> => ({
  query: (context, { query }) => documents.query(context, query),
  show: (context, { params }) => documents.show(context, params.id),
  create: (context, { body }) => documents.create(context, body),
  update: (context, { params, body }) => documents.update(context, params.id, body),
  remove: async (context, { params }) => {
    await documents.remove(context, params.id);
    return null;
  },
  share: (context, { params, body }) => documents.share(context, params.id, body),
  addPicture: (context, { params, files }) => pictures.add(context, params.id, files),
  picture: (context, { params, query }) => pictures.picture(context, params, query),
  versions: (context, { params, query }) => versions.list(context, params.id, query),
  keep: (context, { params, body }) => versions.keep(context, params.id, body.name),
  difference: (context, { params }) => versions.difference(context, params),
  restore: async (context, { params }) => {
    await versions.restore(context, params);
    return null;
  },
  export: (context, { params, query }) => output.export(context, params.id, query),
  mail: (context, { params, body }) => output.mail(context, params.id, body),
});

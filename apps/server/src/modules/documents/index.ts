import type { contract, Input } from '@rmeet/contract';
import type { Handlers, UploadGates } from '../../platform/http/index.ts';
import { createOutput, type OutputDeps } from './output.ts';
import { createPictures } from './pictures.ts';
import { Rooms } from './rooms.ts';
import { documentRoutes } from './routes.ts';
import { createDocumentService } from './service.ts';
import { createVersions } from './versions.ts';

export { documentSockets } from './socket.ts';

/** Minutes, notices and their templates: calls, and the rooms in which they are edited. */
export function createDocuments(deps: OutputDeps) {
  const pictures = createPictures(deps);
  const handlers: Handlers<typeof contract.documents> = documentRoutes({
    documents: createDocumentService(deps),
    pictures,
    versions: createVersions(deps),
    output: createOutput(deps),
  });
  const gates = {
    addPicture: (context, { params }: Pick<Input<typeof contract.documents.addPicture>, 'params'>) =>
      pictures.gate(context, params.id),
  } satisfies UploadGates<typeof contract.documents>;
  return { routes: handlers, gates, rooms: new Rooms(deps) };
}

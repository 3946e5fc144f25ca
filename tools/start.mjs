// `npm start`: installs and builds what is missing, then runs the supervisor until it is stopped.
import { join } from 'node:path';
import { runInForeground } from './child.mjs';
import { ensureInstalled, projectNode, root } from './install.mjs';
import { ensureWebBuilt } from './web-build.mjs';

ensureInstalled();
ensureWebBuilt();
// With a compile cache, the supervisor needs no compiler in its memory; it sets the same for the processes that it
// starts.
const env = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'rmeet', 'compiled'), ...process.env };
runInForeground(projectNode, [join(root, 'apps', 'server', 'src', 'supervisor.ts'), ...process.argv.slice(2)], { env });

// `npm start`: installs and builds what is missing, then runs the supervisor until it is stopped.
import { join } from 'node:path';
import { runInForeground } from './child.mjs';
import { ensureInstalled, projectNode, root } from './install.mjs';
import { ensureWebBuilt } from './web-build.mjs';

ensureInstalled();
ensureWebBuilt();
runInForeground(projectNode, [join(root, 'apps', 'server', 'src', 'supervisor.ts'), ...process.argv.slice(2)]);

// `npm run build`: installs and builds what is missing, for a service that may not write to its own code.
import { ensureInstalled } from './install.mjs';
import { ensureWebBuilt } from './web-build.mjs';

ensureInstalled();
ensureWebBuilt();
console.log('Rmeet is built. npm start runs it; docs/installation.md tells how to run it as a service.');

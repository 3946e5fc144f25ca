import { followLinks, SetupPage, takeSecret } from '../features/setup/index.ts';
import { start } from './start.tsx';

// Must run before the router reads the hash.
const secret = takeSecret();
followLinks();

void start(<SetupPage secret={secret} />);

import { SetupPage, takeSecret } from '../features/setup/index.ts';
import { start } from './start.tsx';

// Before the router reads the hash.
const secret = takeSecret();

void start(<SetupPage secret={secret} />);

import { AdminHomePage } from './pages.ts';
import { adminRoutes } from './routes.tsx';
import { start } from './start.tsx';

void start(adminRoutes(<AdminHomePage />));

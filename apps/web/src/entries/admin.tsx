import { AdminHomePage } from './pages.tsx';
import { adminRoutes } from './routes.tsx';
import { start } from './start.tsx';

void start(adminRoutes(<AdminHomePage />));

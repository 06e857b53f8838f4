import { environmentFor } from '../../examples/behind-a-proxy/compose.ts'
import { repoRoot as root } from '../tooling/repo.ts'

/** The variables of the server in `compose.postgres.yaml`, with folders for its secrets and its volume. */
const composeVariables = () =>
  Object.entries(environmentFor('desk.example.com', 'compose.postgres.yaml'))
    .map(([name, value]) => `${name}=${value.replace(/^(\/run)?(?=\/(secrets|backups))/, '$PLACE')}`)
    .join('\n')

/**
 * Runs the commands of a container, or of the servers in a Compose file, without Docker: each is one process. Each volume is
 * a folder, and TEST_DATABASE_URL is the database that the Compose file starts.
 */
export const docker = `
cli() { exec env SERVICE_DATA=$PLACE/data SERVICE_JSON=1 $(cat $PLACE/env) node ${root}packages/server/dist/cli.js "\${@///backups/$PLACE/backups}"; }
serve() { (cli start >> $PLACE/log 2>&1) & echo $! > $PLACE/pid; echo $! >> $HOME/pids; until (cli healthcheck) >/dev/null 2>&1; do sleep 0.1; done; }
stop() { kill $(cat $PLACE/pid); while kill -0 $(cat $PLACE/pid) 2>/dev/null; do sleep 0.1; done; rm $PLACE/pid; }
compose() {
  [ -f ${root}$1 ] || exit 1
  export SERVICE_PORT=0
  case "$2 $3" in
    'build ') ;;
    'up -d')
      [ "$(cat deploy/.env)" = SERVICE_DOMAIN=desk.example.com ] || exit 1
      [ "$(cat deploy/secrets/database_url)" = "postgres://service:$(cat deploy/secrets/postgres_password)@postgres/service" ] || exit 1
      [ ! -f $PLACE/pid ] || stop
      mkdir -m 700 -p $PLACE/secrets && cp deploy/secrets/* $PLACE/secrets && echo $TEST_DATABASE_URL > $PLACE/secrets/database_url
      cat > $PLACE/env <<VARIABLES
${composeVariables()}
VARIABLES
      serve ;;
    'exec server') shift 4; cli "$@" ;;
    'exec postgres') shift 3; node --input-type=module - "$@" <<'PSQL'
import { createRequire } from 'node:module'
const url = new URL(process.env.TEST_DATABASE_URL)
const own = url.pathname.slice(1)
const client = new (createRequire('${root}packages/server/package.json')('pg').Client)({ ...Object.assign(url, { pathname: '/postgres' }), connectionString: url.href })
await client.connect()
for (const [index, word] of process.argv.entries())
  if (word === '-c') await client.query(process.argv[index + 1].replaceAll('database service', 'database ' + own).replaceAll('to service', 'to ' + own))
await client.end()
PSQL
      ;;
    'run --rm') shift 4; cli "$@" ;;
    'stop server') stop ;;
    'start server') serve ;;
    *) echo "unknown command $*" >&2; exit 1 ;;
  esac
}
PLACE=$HOME
[ "$1" != compose ] || PLACE=$HOME/compose
mkdir -m 700 -p $PLACE/data $PLACE/backups
case "$1 $2" in
  'build -f') [ -f ${root}$3 ] ;;
  'run -d') [ ! -f $HOME/log ] || exit 1; echo "$*" | grep -o 'SERVICE_[A-Z_]*=[^ ]*' | sed "s#=/#=$HOME/#" > $HOME/env; serve ;;
  'run --rm') while [ "$1" != service-server ]; do shift; done; shift; cli "$@" ;;
  'exec service') shift 3; cli "$@" ;;
  'start service') serve ;;
  'stop service') stop ;;
  'rm service') rm $HOME/log ;;
  'logs service') cat $HOME/log ;;
  'cp '*) cp $HOME/\${2#service:/} $3 ;;
  'compose -f') shift 2; compose "$@" ;;
  *) echo "unknown command $*" >&2; exit 1 ;;
esac`

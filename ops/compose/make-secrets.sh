#!/bin/sh
# Makes the secrets of compose.yml, once: the password of the database, and the private key of the ledger, of which you
# should keep a copy elsewhere. A password may be given as POSTGRES_PASSWORD, letters and digits, and another folder as
# the argument.
set -eu
cd "$(dirname "$0")"
umask 077
folder=${1:-secrets}
mkdir "$folder"

password=${POSTGRES_PASSWORD:-$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')}
# The fixed head of an Ed25519 key in PKCS #8 (RFC 8410), then the key.
key=$({ printf '\060\056\002\001\000\060\005\006\003\053\145\160\004\042\004\040' && head -c 32 /dev/urandom; } | base64)

cat >"$folder/pocketwatch.env" <<END
DATABASE_URL=postgres://pocketwatch:$password@pgbouncer:6432/pocketwatch
LEDGER_KEY=-----BEGIN PRIVATE KEY-----\\n$key\\n-----END PRIVATE KEY-----
END
# These are mounted, and read by the users of the containers; nobody else can enter the folder.
umask 022
printf %s "$password" >"$folder/postgres-password"
printf '"pocketwatch" "%s"\n' "$password" >"$folder/userlist.txt"

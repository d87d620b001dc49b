# Health check, run by bash inside each of our containers: prints what the process waits for if it is not ready.
# Not in Node: starting one every ten seconds takes one or two percent of a core for each container.
set -euo pipefail
exec 3<>"/dev/tcp/127.0.0.1/$LISTEN_PORT"
printf 'GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3
read -r _ status _ <&3
[ "$status" = 200 ] && exit
while read -r header <&3 && [ "$header" != $'\r' ]; do :; done
cat <&3
exit 1

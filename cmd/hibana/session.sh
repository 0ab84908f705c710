API=http://127.0.0.1:8000/v1 AUTH=http://127.0.0.1:9099/identitytoolkit.googleapis.com/v1 JSON='Content-Type: application/json' N=$(date +%s)
TOKEN=$(curl -sS "$AUTH/accounts:signUp?key=any" -H "$JSON" -d "{\"email\":\"ann$N@example.com\",\"password\":\"sparkler\",\"returnSecureToken\":true}" | sed -n 's/.*"idToken": *"\([^"]*\)".*/\1/p')
call() { curl -sS -H "Authorization: Bearer $TOKEN" -H "$JSON" "$API/$@"; }
call users -d "{\"username\":\"ann$N\",\"nickname\":\"Ann\"}" && call tweets -d '{"content":"Sparks fly over the river tonight #hibana"}'
sleep 2; call timeline

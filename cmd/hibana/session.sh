API=http://127.0.0.1:8000
AUTH=http://127.0.0.1:9099/identitytoolkit.googleapis.com/v1
N=$(date +%s)

field() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p"; }
sign_up() { curl -sS "$AUTH/accounts:signUp?key=any" -H 'Content-Type: application/json' -d "{\"email\":\"$1@example.com\",\"password\":\"sparkler\",\"returnSecureToken\":true}" | field idToken; }
call() { TOKEN=$1; shift; curl -sS -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$@"; }

ANN=$(sign_up "ann_$N")
BEN=$(sign_up "ben_$N")
call "$ANN" "$API/v1/users" -d "{\"username\":\"ann_$N\",\"nickname\":\"Ann\"}"
call "$BEN" "$API/v1/users" -d "{\"username\":\"ben_$N\",\"nickname\":\"Ben\"}"

BEN_ID=$(call "$BEN" "$API/v1/users/me" | field id)
call "$ANN" -X PUT "$API/v1/users/$BEN_ID/follow"
TWEET=$(call "$BEN" "$API/v1/tweets" -d '{"content":"Sparks fly over the river tonight #hibana"}' | field id)
call "$ANN" -X PUT "$API/v1/tweets/$TWEET/like"

for i in $(seq 60); do
  call "$ANN" "$API/v1/timeline" | grep -q '"likeCount":1' && call "$ANN" "$API/v1/users/$BEN_ID" | grep -q '"followerCount":1,.*"tweetCount":1' && break; sleep 1
done
call "$ANN" "$API/v1/timeline"
call "$ANN" "$API/v1/users/$BEN_ID"

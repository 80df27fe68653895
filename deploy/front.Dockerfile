# The TLS front: Caddy with its file, for a user without rights.
FROM caddy:2.11.4

# A copy loses the file capability that the image's binary has, without which that one does not start where all
# capabilities are dropped. The ports are above 1023.
RUN cp /usr/bin/caddy /usr/bin/caddy-plain && mv /usr/bin/caddy-plain /usr/bin/caddy \
  && install -d -o 1000 -g 1000 -m 700 /data /data/caddy /config /config/caddy
COPY Caddyfile /etc/caddy/Caddyfile

USER 1000:1000
EXPOSE 8080 8443
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
